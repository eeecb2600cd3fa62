/// What a file says about the colours of its samples.
enum ColourTag: Hashable {
    /// sRGB, or nothing.
    case sRGB
    /// An ICC profile, whole but not yet understood.
    case profile([UInt8])
    /// Primaries and white as CIE xy, with the transfer curve of sRGB.
    case chromaticities(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity)

    /// CIE 1931 x and y.
    struct Chromaticity: Hashable {
        var x, y: Double
    }
}
