import CPosterCodecs

/// Encodes planes of limited-range Y′CbCr 4:2:0 as lossy WebP.
struct WebPEncoder {
    /// 1...100.
    var quality: Int

    /// libwebp's effort. Method 2 takes half the time of 3 and 4 for two per cent more bytes.
    static let method: UInt32 = 2

    /// - Parameter planes: Luma and two of chroma, or luma alone for a gray picture; see ``Plane``.
    func encode(_ planes: [Plane], watch: RenderWatch) throws(CodecError) -> [UInt8] {
        let luma = planes[0]
        let (width, height) = ((luma.width + 1) / 2, (luma.height + 1) / 2)
        let blue = planes.count > 1 ? planes[1] : Plane(width: width, height: height, filledWith: 128)
        let red = planes.count > 2 ? planes[2] : blue

        return try luma.samples.withUnsafeBufferPointer { (y) throws(CodecError) -> [UInt8] in
            try blue.samples.withUnsafeBufferPointer { (u) throws(CodecError) -> [UInt8] in
                try red.samples.withUnsafeBufferPointer { (v) throws(CodecError) -> [UInt8] in
                    let picture = poster_webp_picture(
                        width: UInt32(luma.width), height: UInt32(luma.height), luma: y.baseAddress!,
                        blue: u.baseAddress!, red: v.baseAddress!, luma_stride: luma.stride,
                        chroma_stride: blue.stride, quality: UInt32(self.quality), method: Self.method)
                    return try Self.encode(picture, watch: watch)
                }
            }
        }
    }

    private static func encode(_ picture: poster_webp_picture, watch: RenderWatch) throws(CodecError) -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        let ask = watch.handle
        let status = withUnsafePointer(to: picture) { picture in
            withUnsafePointer(to: ask) { poster_webp_encode(picture, $0, &bytes, &count) }
        }
        defer { poster_webp_free(bytes) }
        switch status {
        case .ok: return Array(UnsafeBufferPointer(start: bytes, count: count))
        case .stopped: throw watch.verdict ?? .stopped
        case .outOfMemory: throw .outOfMemory
        case .failed: throw .unencodable(reason: "the picture does not fit into a WebP")
        case .misuse: preconditionFailure("a picture that libwebp cannot encode")
        }
    }
}
