/// aom's quantiser, 0 (best) to 63.
package struct AVIFQuantizer: RawRepresentable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The quantiser at which posters have the SSIM of a WebP of this quality, between neighbours of ``calibration``.
    ///
    /// - Parameter quality: 1...100.
    package init(quality: Int) {
        let table = Self.calibration
        let above = table.firstIndex { $0.quality >= quality } ?? table.count - 1
        let (low, high) = (table[max(0, above - 1)], table[above])
        let distance = max(1, high.quality - low.quality)
        let share = Double(min(quality, high.quality) - low.quality) / Double(distance)
        self.rawValue = UInt32((low.quantizer + (high.quantizer - low.quantizer) * share).rounded())
    }

    /// Transparency, whose errors show at all edges; a lossless one takes several times the bytes.
    static let alpha = AVIFQuantizer(rawValue: 10)

    /// As measured by `poster-bench formats --calibrate` on posters of 154 to 780 pixels.
    static let calibration: [(quality: Int, quantizer: Double)] = [
        (1, 63), (20, 52), (40, 43), (60, 35), (75, 29), (80, 26), (90, 17), (95, 11), (100, 2),
    ]
}
