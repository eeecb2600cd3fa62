/// libjxl's effort.
enum JXLEffort: UInt32, CaseIterable {
    /// From a distance of 2 on, means of blocks are finer than at effort 3, which takes 7 % less time, but leaves more
    /// blotches on saturated red and orange.
    case four = 4
    /// Blocks of several sizes: a tenth fewer bytes at the same SSIMULACRA2 than effort 3, for three times the time.
    case five = 5
    /// Blocks of up to 64 × 64 coefficients: about 0.5 % fewer bytes than effort 5.
    case seven = 7

    /// The largest first encoding in pixels at effort 5, which takes five milliseconds more then. Effort 4 has more
    /// bytes than WebP at 154 × 231 pixels.
    private static let smallPixels = 1 << 16

    init(for size: OutputSize, encoding: EncodingEffort) {
        switch encoding {
        case .first: self = size.pixels <= Self.smallPixels ? .five : .four
        case .refined: self = .seven
        }
    }

    /// The CPU time per pixel in nanoseconds: the median of posters of 342 to 780 pixels. A frame takes two
    /// milliseconds more, however small.
    var nanosecondsPerPixel: Int {
        switch self {
        case .four: 64
        case .five: 170
        case .seven: 230
        }
    }
}
