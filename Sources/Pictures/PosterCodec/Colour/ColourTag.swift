/// The colour space that a file declares for its samples.
enum ColourTag: Hashable {
    /// sRGB, or no declaration.
    case sRGB
    /// The bytes of an ICC profile, complete but not validated.
    case profile([UInt8])
    /// RGB of other primaries, with the transfer curve of sRGB.
    case chromaticities(ColourPrimaries)
    /// RGB or gray with another transfer curve than that of sRGB.
    case curved(TransferCurve, ColourPrimaries)

    /// See ``ICCTagTable/workingBytes(of:byteCount:)``; 0 without a profile.
    var workingBytes: Int {
        guard case .profile(let bytes) = self else { return 0 }
        return bytes.withUnsafeBytes { ICCTagTable.workingBytes(of: $0, byteCount: $0.count) }
    }

    /// The bytes of a profile.
    var byteCount: Int {
        guard case .profile(let bytes) = self else { return 0 }
        return bytes.count
    }

    static let displayP3 = ColourTag.chromaticities(.displayP3)
}

/// The transfer curve of samples: their relation to light.
enum TransferCurve: Hashable {
    /// BT.470 B, G: a display of gamma 2.8.
    case gamma28
    case linear
    /// The perceptual quantiser of BT.2100, with the luminance of the brightest pixel in cd/m².
    case pq(peak: Double)
    /// Hybrid log-gamma of BT.2100.
    case hlg

    /// The exponent of samples, for a curve that is a power of the light.
    var exponent: Double? {
        switch self {
        case .gamma28: 1 / 2.8
        case .linear: 1
        case .pq, .hlg: nil
        }
    }

    /// The luminance of diffuse white in high dynamic range, and of white in the result, in cd/m² (BT.2408).
    static let referenceWhite = 203.0
    /// The peak where a file does not have it, and the display for which HLG is defined, in cd/m².
    static let nominalPeak = 1000.0
    /// The largest luminance that PQ codes, in cd/m².
    static let pqPeak = 10_000.0

    /// A file's luminance of its brightest pixel within the possible range; nil and 0 are unknown.
    static func peak(_ declared: Double?) -> Double {
        guard let declared, declared > 0 else { return self.nominalPeak }
        return min(max(declared, self.referenceWhite), self.pqPeak)
    }
}
