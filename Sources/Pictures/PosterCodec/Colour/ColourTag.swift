/// The colour space that a file declares for its samples.
enum ColourTag: Hashable {
    /// sRGB, or no declaration.
    case sRGB
    /// The bytes of an ICC profile, complete but not validated.
    case profile([UInt8])
    /// RGB with other primaries and sRGB's transfer curve.
    case chromaticities(ColourPrimaries)
    /// RGB or gray with another transfer curve than sRGB's.
    case curved(TransferCurve, ColourPrimaries)

    /// The memory of the profile's conversion in bytes, see ``ICCTagTable/workingBytes(of:byteCount:)``; 0 without a
    /// profile.
    var workingBytes: Int {
        guard case .profile(let bytes) = self else { return 0 }
        return bytes.withUnsafeBytes { ICCTagTable.workingBytes(of: $0, byteCount: $0.count) }
    }

    /// The size of the profile in bytes; 0 without one.
    var byteCount: Int {
        guard case .profile(let bytes) = self else { return 0 }
        return bytes.count
    }

    static let displayP3 = ColourTag.chromaticities(.displayP3)
}

/// The transfer curve of samples: their relation to light.
enum TransferCurve: Hashable {
    /// A display of this gamma, such as 2.8 (BT.470 B, G) or 2.6 (cinema).
    case gamma(Double)
    case linear
    /// The perceptual quantiser of BT.2100, with the luminance of the brightest pixel in cd/m².
    case pq(peak: Double)
    /// Hybrid log-gamma of BT.2100.
    case hlg

    /// The encoding exponent of a pure power curve; `nil` for PQ and HLG.
    var exponent: Double? {
        switch self {
        case .gamma(let exponent): 1 / exponent
        case .linear: 1
        case .pq, .hlg: nil
        }
    }

    /// The luminance of diffuse white in high dynamic range, and of white in the result, in cd/m² (BT.2408).
    static let referenceWhite = 203.0
    /// The default peak of files that declare none, and the peak of HLG's reference display, in cd/m².
    static let nominalPeak = 1000.0
    /// The possible exponents of ``gamma(_:)``.
    static let exponents = 1...10.0
    /// The maximum luminance of PQ, in cd/m².
    static let pqPeak = 10_000.0

    /// Clamps a declared peak luminance to 203...10,000 cd/m². `nil` and 0 are unknown and give ``nominalPeak``.
    static func peak(_ declared: Double?) -> Double {
        guard let declared, declared > 0 else { return self.nominalPeak }
        return min(max(declared, self.referenceWhite), self.pqPeak)
    }
}
