/// libwebp's "method": its effort, 2, 4 or 6.
///
/// Method 4 optimises rate against distortion per block. At the same quality its SSIM is about 0.003 higher in 3 %
/// fewer bytes, for twice the time: some eight milliseconds more for a poster of 368 pixels. It is used where that is
/// little compared with decoding the original.
enum WebPMethod: UInt32 {
    case fast = 2
    case thorough = 4
    /// For ``EncodingEffort/refined``.
    case smallest = 6

    /// The additional time of method 4, in nanoseconds per pixel of the result.
    private static let extraNanoseconds = 40.0
    /// Maximum additional time as a share of the decoding time.
    private static let extraShare = 0.5
    /// The largest result in pixels for which balanced effort uses method 4, which takes about 20 bytes per pixel.
    private static let mostPixels = 1 << 20

    init(_ plan: EncoderPlan) {
        guard plan.encoding == .first else {
            self = .smallest
            return
        }
        switch plan.effort {
        case .fast: self = .fast
        case .full: self = .thorough
        case .balanced:
            let extra = Double(plan.size.pixels) * Self.extraNanoseconds
            let isSmall = plan.size.pixels <= Self.mostPixels
            self = isSmall && extra <= Self.extraShare * plan.decodingNanoseconds ? .thorough : .fast
        }
    }

    /// The quality for libwebp: half a step more for method 2 and a whole step for method 6, which need it to reach
    /// method 4's SSIM.
    func quality(for quality: Int) -> Float {
        switch self {
        case .fast: min(100, Float(quality) + 0.5)
        case .thorough: Float(quality)
        case .smallest: min(100, Float(quality) + 1)
        }
    }

    /// The strength of the loop filter for libwebp, 0...100. From method 3 on, libwebp strengthens the filter where it
    /// finds sharp edges between blocks. Method 2 does not look for them: for posters of 500 and 780 pixels, 75 instead
    /// of libwebp's default 60 saves 0.8 % of the bytes at the same SSIM of luma, at the same cost and SSIMULACRA2.
    var filterStrength: UInt32 {
        self == .fast ? 75 : 60
    }
}
