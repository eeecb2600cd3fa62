/// aom's quantiser, 0 (best) to 63.
package struct AVIFQuantizer: RawRepresentable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The quantiser that gives posters the SSIM of a WebP of this quality.
    ///
    /// - Parameter quality: 1...100.
    init(quality: Int, speed: AVIFSpeed) {
        let value = Self.value(quality: quality)
        // The offsets apply to the default quality; finer quantisers need smaller ones.
        let finer = speed.finerQuantizer * min(1, value / Self.value(quality: OutputFormat.avif.defaultQuality))
        self.rawValue = UInt32(max(1, (value - finer).rounded()))
    }

    /// The quantiser at speed 6, interpolated between neighbours in ``calibration``.
    package static func value(quality: Int) -> Double {
        let table = self.calibration
        let above = table.firstIndex { $0.quality >= quality } ?? table.count - 1
        let (low, high) = (table[max(0, above - 1)], table[above])
        let share = Double(quality - low.quality) / Double(max(1, high.quality - low.quality))
        return low.quantizer + (high.quantizer - low.quantizer) * min(share, 1)
    }

    /// The quantiser of alpha, which is fine because errors show at all edges.
    static let alpha = AVIFQuantizer(rawValue: 10)

    /// Measured with `poster-bench formats --calibrate` on posters of 154 to 780 pixels at speed 6; at the default
    /// quality, aom's SSIM equals libwebp's.
    static let calibration: [(quality: Int, quantizer: Double)] = [
        (1, 63), (10, 48.5), (25, 41.9), (40, 37.2), (55, 34.2), (70, 30.6), (80, 25.6), (90, 13.3), (95, 8), (100, 2),
    ]
}

extension AVIFSpeed {
    /// How much finer the quantiser must be than at speed 6 for the same SSIM, at the default quality.
    fileprivate var finerQuantizer: Double {
        switch self {
        case .six: 0
        case .seven: 2.2
        case .eight: 3
        case .nine: 4.5
        }
    }
}
