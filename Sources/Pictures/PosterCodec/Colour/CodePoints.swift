/// The colour space of samples in code points of ITU-T H.273, from the `nclx` of an AVIF or the cICP of a PNG.
struct CodePoints: Hashable {
    let primaries, transfer, matrix: Int
    let isFullRange: Bool

    init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Whether the samples are green, blue and red (identity matrix).
    var isRGB: Bool { self.matrix == 0 }

    /// Whether primaries and curve are defined; 2 is unspecified, 0 and 3 are reserved.
    var areSpecified: Bool { ![0, 2, 3].contains(self.primaries) && ![0, 2, 3].contains(self.transfer) }

    /// The Y′CbCr matrix; BT.601 if unspecified, as in JPEGs.
    ///
    /// - Throws: ``CodecError/unsupported(_:)``.
    func yCbCrMatrix() throws(CodecError) -> YCbCrMatrix {
        switch self.matrix {
        case 1: return .bt709
        case 2, 5, 6: return .bt601
        case 4: return .fcc
        case 7: return .smpte240
        case 8: return .yCgCo
        case 9: return .bt2020
        // Derived from the primaries; unspecified primaries count as BT.709's.
        case 12 where (0...3).contains(self.primaries): return .bt709
        case 12 where self.primaries == 9: return .bt2020
        case 12 where self.primaries == 12: return .displayP3
        default: throw .unsupported("AVIF with the matrix \(self.matrix) of ITU-T H.273")
        }
    }

    /// The colour space in the absence of an ICC profile. Curves close to sRGB's count as sRGB's, as in browsers.
    ///
    /// - Parameter peak: The luminance of the brightest pixel in cd/m²; `nil` if the file does not declare it.
    /// - Throws: ``CodecError/unsupported(_:)``.
    func tag(peak: Double? = nil) throws(CodecError) -> ColourTag {
        let primaries = try self.chromaticities()
        let curve: TransferCurve
        switch self.transfer {
        case 0...4, 6, 7, 11...15:
            return primaries == .sRGB ? .sRGB : .chromaticities(primaries)
        case 5: curve = .gamma(2.8)
        case 8: curve = .linear
        case 16: curve = .pq(peak: TransferCurve.peak(peak))
        case 18: curve = .hlg
        default: throw .unsupported("AVIF with the transfer curve \(self.transfer) of ITU-T H.273")
        }
        return .curved(curve, primaries)
    }

    private func chromaticities() throws(CodecError) -> ColourPrimaries {
        switch self.primaries {
        case 0...3: return .sRGB
        case 4: return ColourPrimaries([0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08])
        case 5: return ColourPrimaries([0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06])
        case 6, 7: return ColourPrimaries([0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070])
        case 8: return ColourPrimaries([0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049])
        case 9: return ColourPrimaries([0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046])
        case 11: return ColourPrimaries([0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
        case 12: return .displayP3
        case 22: return ColourPrimaries([0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077])
        default: throw .unsupported("AVIF with the primaries \(self.primaries) of ITU-T H.273")
        }
    }
}
