/// The meaning of the samples of a picture's planes.
struct PlaneModel: Hashable {
    enum Colour: Hashable {
        case gray
        /// Y′CbCr of ``PlaneModel/matrix``.
        case yCbCr
        case rgb
        /// CMYK as in JPEG files: 255 is no ink.
        case cmyk
        /// CMYK with the first three inks coded as Y′CbCr of their complement.
        case ycck

        var planeCount: Int {
            switch self {
            case .gray: 1
            case .yCbCr, .rgb: 3
            case .cmyk, .ycck: 4
            }
        }
    }

    var colour: Colour
    var matrix = YCbCrMatrix.bt601
    /// Whether luma runs from 16 to 235 and chroma from 16 to 240 instead of 0 to 255.
    var isLimitedRange = false
    /// Whether an alpha plane follows, by which the other planes are premultiplied (255 is opaque).
    var hasAlpha = false

    var planeCount: Int { self.colour.planeCount + (self.hasAlpha ? 1 : 0) }
}

/// The matrix of Y′CbCr (ITU-T H.273, 8.3).
enum YCbCrMatrix: Hashable, Sendable {
    case bt601, bt709, bt2020, fcc, smpte240
    /// Derived from the primaries of Display P3.
    case displayP3
    /// The chroma planes are green and orange.
    case yCgCo

    /// The weights of red and blue in luma.
    var weights: (red: Double, blue: Double) {
        switch self {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        case .fcc: (0.30, 0.11)
        case .smpte240: (0.212, 0.087)
        case .displayP3: (0.228975, 0.079287)
        case .yCgCo: (0.25, 0.25)
        }
    }
}
