/// The colour space that a file declares for its samples.
enum ColourTag: Hashable {
    /// sRGB, or no declaration.
    case sRGB
    /// The bytes of an ICC profile, complete but not validated.
    case profile([UInt8])
    /// Primaries and white point as CIE xy, with the transfer curve of sRGB.
    case chromaticities(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity)

    /// See ``ICCTagTable/workingBytes(of:byteCount:)``; 0 without a profile.
    var workingBytes: Int {
        guard case .profile(let bytes) = self else { return 0 }
        return ICCTagTable.workingBytes(of: bytes, byteCount: bytes.count)
    }

    /// CIE 1931 x and y.
    struct Chromaticity: Hashable {
        var x, y: Double
    }
}

extension ColourTag {
    /// SMPTE EG 432-1 with the curve of sRGB.
    static let displayP3 = ColourTag.chromaticities(
        white: Chromaticity(x: 0.3127, y: 0.3290), red: Chromaticity(x: 0.680, y: 0.320),
        green: Chromaticity(x: 0.265, y: 0.690), blue: Chromaticity(x: 0.150, y: 0.060))
}

extension ColourTag.Chromaticity {
    /// White, red, green and blue (IEC 61966-2-1).
    static let sRGB = [
        Self(x: 0.3127, y: 0.3290), Self(x: 0.64, y: 0.33), Self(x: 0.30, y: 0.60), Self(x: 0.15, y: 0.06),
    ]

    /// Whether the chromaticity is physically possible.
    var exists: Bool { self.x >= 0 && self.y > 0 && self.x + self.y <= 1 }

    /// Whether three colours are not on one line.
    static func spanTriangle(_ a: Self, _ b: Self, _ c: Self) -> Bool {
        abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) > 1e-4
    }
}
