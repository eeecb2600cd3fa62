import CPosterCodecs

/// Encodes planes of full-range Y′CbCr 4:2:0 as AVIF, without metadata.
struct AVIFEncoder {
    /// The quality, 1...100, on the scale of ``WebPEncoder``; see ``AVIFQuantizer``.
    var quality: Int
    var speed = AVIFSpeed.eight

    /// Encodes a whole picture, in one call that cannot be stopped.
    ///
    /// - Parameter planes: Luma alone for a gray picture, else luma, two of chroma, and alpha, if any. See ``Plane``.
    func encode(_ planes: [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        try watch.check()
        let luma = planes[0]
        let hasAlpha = planes.count == 4 && !planes[3].isOpaque
        // Gray passes its only plane three times; only the first is used.
        let (blue, red) = planes.count > 1 ? (planes[1], planes[2]) : (luma, luma)
        let alpha = hasAlpha ? planes[3] : luma
        var bytes = poster_bytes()
        let status = luma.samples.withUnsafeBufferPointer { y in
            blue.samples.withUnsafeBufferPointer { u in
                red.samples.withUnsafeBufferPointer { v in
                    alpha.samples.withUnsafeBufferPointer { a in
                        let picture = poster_avif_picture(
                            width: UInt32(luma.width), height: UInt32(luma.height), luma: y.baseAddress!,
                            blue: planes.count > 1 ? u.baseAddress : nil, red: planes.count > 1 ? v.baseAddress : nil,
                            alpha: hasAlpha ? a.baseAddress : nil, luma_stride: luma.stride,
                            chroma_stride: blue.stride, alpha_stride: alpha.stride,
                            quantizer: AVIFQuantizer(quality: self.quality, speed: self.speed).rawValue,
                            alpha_quantizer: AVIFQuantizer.alpha.rawValue, speed: self.speed.rawValue)
                        return withUnsafePointer(to: picture) { poster_avif_encode($0, &bytes) }
                    }
                }
            }
        }
        try watch.check(
            status, corrupt: .unencodable(reason: "aom refused the picture"),
            misuse: .internalError(reason: "a picture that libavif cannot encode"))
        return EncodedBytes(bytes)
    }
}

extension Plane {
    fileprivate var isOpaque: Bool {
        self.samples.withUnsafeBufferPointer { samples in
            (0..<self.height).allSatisfy { y in
                samples[y * self.stride..<y * self.stride + self.width].allSatisfy { $0 == 255 }
            }
        }
    }
}

extension AVIFEncoder: PictureEncoding {
    init(_ plan: EncoderPlan) {
        self.init(quality: plan.quality, speed: AVIFSpeed(for: plan.size, encoding: plan.encoding))
    }

    var nanosecondsPerPixel: Int { self.speed.nanosecondsPerPixel }

    /// The memory of aom 3.6, as measured: a constant, a part per pixel, and a part per row and column for the margins of
    /// its frames. Alpha is encoded after the colours and takes no more.
    func workingBytes(_ plan: EncoderPlan) -> Int {
        20 * plan.size.pixels + 512 * (plan.size.width + plan.size.height) + (8 << 20)
    }

    func check(_ size: OutputSize, _ limits: CodecLimits) throws(CodecError) { try self.speed.check(size, limits) }
}
