/// libwebp's "method": its effort, 2 or 4.
///
/// Method 4 optimises rate against distortion per block. At the same quality its SSIM is about 0.003 higher in 3 %
/// fewer bytes, for twice the time: some eight milliseconds more for a poster of 368 pixels. It is used where that is
/// little compared with decoding the original.
enum WebPMethod: UInt32 {
    case fast = 2
    case thorough = 4

    /// The additional time of method 4, in nanoseconds per pixel of the result.
    private static let extraNanoseconds = 40.0
    /// The most additional time, as a share of the decoding time.
    private static let extraShare = 0.5

    /// The largest result in pixels for which balanced effort uses method 4, which takes about 20 bytes per pixel.
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

    /// The decoding time per pixel of the original, in nanoseconds, as measured with `poster-bench speed`.
    private static func decodingNanoseconds(_ source: ImageHeader) -> Double {
        switch source.format {
        case .png: 5
        case .webp: source.isLossless ? 13 : 10
        default: 2.5
        }
    }

    /// The quality for libwebp; half a step more for method 2, which needs it for about the same SSIM.
    func quality(for quality: Int) -> Float {
        self == .fast ? min(100, Float(quality) + 0.5) : Float(quality)
    }
}
