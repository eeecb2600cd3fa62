/// How much effort libwebp puts into a file: its "method", 2 or 4.
///
/// Method 4 weighs bytes against likeness for every block, method 2 does not. At the same quality 4 has about 0.003 more of
/// SSIM in 3 % fewer bytes, for twice the time: some eight milliseconds more for a poster of 368 pixels. That is little where
/// the original takes long to decode, and for small posters, and much elsewhere.
enum WebPMethod: UInt32 {
    case fast = 2
    case thorough = 4

    /// What method 4 takes longer than 2, in nanoseconds for a pixel of the result.
    private static let extraNanoseconds = 40.0
    /// The part of the decoder's time that it may be.
    private static let extraShare = 0.5

    /// The largest result, in pixels, that it may be used for without being asked for: it takes some 20 bytes for each.
    private static let mostPixels = 1 << 20

    init(for source: ImageHeader, size: OutputSize, effort: RenderTarget.Effort) {
        switch effort {
        case .fast: self = .fast
        case .full: self = .thorough
        case .balanced:
            let decoding = Double(source.width * source.height) * Self.decodingNanoseconds(source)
            let extra = Double(size.width * size.height) * Self.extraNanoseconds
            let isSmall = size.width * size.height <= Self.mostPixels
            self = isSmall && extra <= Self.extraShare * decoding ? .thorough : .fast
        }
    }

    /// What a decoder takes for a pixel of the original, about, as `poster-bench speed` measured it.
    private static func decodingNanoseconds(_ source: ImageHeader) -> Double {
        switch source.format {
        case .png: 5
        case .webp: source.isLossless ? 13 : 10
        default: 2.5
        }
    }

    /// What a quality is called in libwebp. Without weighing, half a step more is needed to be nearly as like the original.
    func quality(for quality: Int) -> Float {
        self == .fast ? min(100, Float(quality) + 0.5) : Float(quality)
    }
}
