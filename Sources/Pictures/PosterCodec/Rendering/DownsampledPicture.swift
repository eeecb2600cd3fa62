/// A picture, or a band of it, at the size of the result before encoding.
enum DownsampledPicture {
    /// Luma, or Y′CbCr, in the range and subsampling of the plan's format.
    case planes([Plane])
    case pixels(PixelBuffer)

    /// The planes for JPEG, WebP and AVIF, padded on the right: luma, two of chroma unless gray, and alpha if the
    /// format supports it.
    ///
    /// - Parameter memory: Kept rows for the conversion.
    func planes(for plan: RenderPlan, memory: ConversionRows? = nil) -> [Plane] {
        switch self {
        case .planes(let planes): return planes
        case .pixels(let pixels):
            let converter = YCbCrConverter(isLimitedRange: plan.format.hasLimitedRange, halvesChroma: plan.halvesChroma)
            let opaque = plan.format.hasAlpha ? pixels : pixels.flattened(on: plan.background)
            var planes = converter.planes(opaque, memory: memory)
            for index in planes.indices { planes[index].padRight() }
            return planes
        }
    }

    func pixels() -> PixelBuffer {
        switch self {
        case .pixels(let pixels): return pixels
        case .planes(let planes):
            var gray = PixelBuffer(width: planes[0].width, height: planes[0].height, channels: 1)
            for y in 0..<gray.height {
                let start = y * planes[0].stride
                gray.samples.replaceSubrange(
                    y * gray.width..<(y + 1) * gray.width, with: planes[0].samples[start..<start + gray.width])
            }
            return gray
        }
    }
}

extension [Plane] {
    /// Appends a band to the planes of a picture of `height`, for an encoder that needs all rows at once.
    mutating func append(band: [Plane], height: Int) throws(CodecError) {
        guard !self.isEmpty else {
            self = band
            for index in self.indices where band[0].height < height {
                self[index].samples.reserveCapacity(band[index].samples.count * (height / band[0].height + 1))
            }
            return
        }
        for (index, plane) in band.enumerated() { try self[index].append(plane) }
    }

    /// Returns and releases the planes, so that the encoder is their only owner and may write to them.
    mutating func take() -> [Plane] {
        defer { self = [] }
        return self
    }
}
