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
                            quality: self.method.quality(for: self.quality), method: self.method.rawValue,
                            filter_strength: self.method.filterStrength)
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

extension WebPEncoder: PictureEncoding {
    init(_ plan: EncoderPlan) {
        self.init(quality: plan.quality, method: WebPMethod(plan))
    }

    var nanosecondsPerPixel: Int {
        switch self.method {
        case .fast: 44
        case .thorough: 85
        case .smallest: 200
        }
    }

    func workingBytes(_ plan: EncoderPlan) -> Int {
        let pixels = plan.size.pixels
        // From method 3 on, libwebp stores tokens: for noise in black and white about 18 bytes a pixel at quality 80, and
        // 30 at 100. Lossless alpha takes about 18 bytes a pixel.
        let tokens = self.method == .fast ? 0 : pixels * (90 + 3 * max(0, plan.quality - 80)) / 5
        return pixels * 5 / 2 + tokens + (plan.hasAlpha ? 18 * pixels : 0) + (1 << 20)
    }
}
