/// A picture as large as the result, before it is encoded.
enum DownsampledPicture {
    /// Luma, or Y′CbCr, just as the plan's format wants it.
    case planes([Plane])
    /// In sRGB.
    case pixels(PixelBuffer)

    /// For JPEG and WebP: luma, two of chroma unless gray, and alpha where the format has it and the picture, too. Padded
    /// on the right.
    func planes(for plan: RenderPlan) -> [Plane] {
        switch self {
        case .planes(let planes): return planes
        case .pixels(let pixels):
            let splitter = PlaneSplitter(isLimitedRange: plan.format == .webp, halvesChroma: plan.halvesChroma)
            var planes = splitter.planes(plan.format.hasAlpha ? pixels : pixels.flattened(on: plan.background))
            for index in planes.indices { planes[index].padRight() }
            return planes
        }
    }

    /// For PNG.
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
