import CPosterCodecs

/// Encodes planes of limited-range Y′CbCr 4:2:0 as lossy WebP, with lossless alpha.
struct WebPEncoder {
    var quality: Int
    var method = WebPMethod.fast

    /// - Parameter planes: Luma alone for a gray picture, else luma, two of chroma, and alpha, if any. See ``Plane``.
    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        var planes = planes
        let (width, height) = (planes[0].width, planes[0].height)
        if planes.count == 1 {
            let chroma = Plane(width: (width + 1) / 2, height: (height + 1) / 2, filledWith: 128)
            planes += [chroma, chroma]
        }
        let strides = (luma: planes[0].stride, chroma: planes[1].stride)

        // libwebp writes to planes with alpha, so they must be uniquely owned.
        let hasAlpha = planes.count == 4
        var (y, u, v) = (planes[0].samples, planes[1].samples, planes[2].samples)
        var a = hasAlpha ? planes[3].samples : []
        planes = []
        var bytes = poster_bytes()
        let status = y.withUnsafeMutableBufferPointer { y in
            u.withUnsafeMutableBufferPointer { u in
                v.withUnsafeMutableBufferPointer { v in
                    a.withUnsafeMutableBufferPointer { a in
                        let picture = poster_webp_picture(
                            width: UInt32(width), height: UInt32(height), luma: y.baseAddress!, blue: u.baseAddress!,
                            red: v.baseAddress!, alpha: hasAlpha ? a.baseAddress : nil, luma_stride: strides.luma,
                            chroma_stride: strides.chroma, alpha_stride: strides.luma,
                            quality: self.method.quality(for: self.quality), method: self.method.rawValue)
                        return withUnsafePointer(to: picture) { picture in
                            watch.withHandle { poster_webp_encode(picture, $0, &bytes) }
                        }
                    }
                }
            }
        }
        try watch.check(
            status, corrupt: .unencodable(reason: "the picture does not fit into a WebP"),
            misuse: .internalError(reason: "a picture that libwebp cannot encode"))
        return EncodedBytes(bytes)
    }
}
