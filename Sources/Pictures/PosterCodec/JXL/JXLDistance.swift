/// Butteraugli's distance from the original that libjxl aims at: 0 is lossless, 1 is hardly visible.
struct JXLDistance: RawRepresentable, Hashable {
    /// 0.01...15.
    let rawValue: Float

    init(rawValue: Float) {
        self.rawValue = rawValue
    }

    /// The distance that gives posters the SSIMULACRA2 of a WebP of this quality, interpolated between neighbours in
    /// ``calibration``.
    ///
    /// - Parameter quality: 1...100.
    init(quality: Int) {
        let table = Self.calibration
        let above = table.firstIndex { $0.quality >= quality } ?? table.count - 1
        let (low, high) = (table[max(0, above - 1)], table[above])
        let share = Float(quality - low.quality) / Float(max(1, high.quality - low.quality))
        self.rawValue = low.distance + (high.distance - low.distance) * min(share, 1)
    }

    /// Measured on ten posters of 342 pixels and six of 780, at efforts 3 and 7, which need the same distances. The
    /// last one is finer than any WebP, which halves chroma.
    static let calibration: [(quality: Int, distance: Float)] = [
        (1, 15), (10, 9.7), (25, 5.9), (40, 4.3), (55, 3.3), (70, 2.6), (80, 1.95), (90, 1.1), (95, 0.8), (100, 0.3),
    ]
}
