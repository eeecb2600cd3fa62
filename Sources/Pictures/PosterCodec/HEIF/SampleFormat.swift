/// The form of a coded picture's samples.
struct SampleFormat: Hashable {
    let bitDepth: Int
    let isMonochrome: Bool
    /// Whether chroma has half the size along rows, and along columns.
    let halvesAcross, halvesDown: Bool

    init(bitDepth: Int, isMonochrome: Bool, halvesAcross: Bool, halvesDown: Bool) {
        self.bitDepth = bitDepth
        self.isMonochrome = isMonochrome
        self.halvesAcross = halvesAcross
        self.halvesDown = halvesDown
    }
}
