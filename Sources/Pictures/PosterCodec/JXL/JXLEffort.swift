/// libjxl's effort.
enum JXLEffort: UInt32, CaseIterable {
    /// Blocks of 8 × 8 coefficients.
    case three = 3
    /// Blocks of up to 64 × 64 coefficients, chosen by their cost: a tenth fewer bytes at the same SSIMULACRA2, for four
    /// times the time.
    case seven = 7

    /// The CPU time per pixel in nanoseconds: the median of posters of 342 to 780 pixels. A frame takes two milliseconds
    /// more, however small.
    var nanosecondsPerPixel: Int {
        switch self {
        case .three: 60
        case .seven: 230
        }
    }

    /// The largest frame in pixels. Frames cost about 1.6 % more bytes at 780 × 1170 pixels than a whole picture, and a
    /// fifth to a half of its memory.
    var maxFramePixels: Int {
        switch self {
        case .three: 190_000
        case .seven: 380_000
        }
    }
}
