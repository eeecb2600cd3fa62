/// What a file says about the colours of its samples.
enum ColourTag: Hashable {
    /// sRGB, or nothing.
    case sRGB
    /// An ICC profile, whole but not yet understood.
    case profile([UInt8])
    /// Primaries and white as CIE xy, with the transfer curve of sRGB.
    case chromaticities(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity)

    /// See ``ProfileDirectory/workingBytes(of:byteCount:)``; what is no profile takes little.
    var workingBytes: Int {
        guard case .profile(let bytes) = self else { return 0 }
        return ProfileDirectory.workingBytes(of: bytes, byteCount: bytes.count)
    }

    /// CIE 1931 x and y.
    struct Chromaticity: Hashable {
        var x, y: Double
    }
}
