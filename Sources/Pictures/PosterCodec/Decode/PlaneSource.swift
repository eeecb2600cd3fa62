/// A decoder that delivers the planes of a picture, a group of rows at a time.
///
/// Noncopyable conformers own a decoder; all of them borrow their input, so they must not outlive the closure in which
/// they were made.
protocol PlaneSource: ~Copyable {
    /// The planes that are delivered.
    var layout: PlaneLayout { get }

    /// Writes the next group: for each plane ``PlaneLayout/PlaneShape/rowsPerGroup`` rows of
    /// ``PlaneLayout/PlaneShape/rowBytes`` bytes to where `targets` point, `strides` bytes apart. Called
    /// ``PlaneLayout/groupCount`` times.
    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError)

    /// Reads the rest of the file and checks it.
    mutating func finish() throws(CodecError)
}

/// The planes that a decoder delivers, after its own scaling.
struct PlaneLayout {
    /// The shape of a plane. Samples beyond the valid ones, to the right and below, are padding.
    struct PlaneShape {
        /// The number of valid samples per row, and of valid rows.
        var width, height: Int
        /// The bytes written per row, padding included.
        var rowBytes: Int
        var rowsPerGroup: Int
        /// Samples per pixel of the original: 1 for a plane that is neither scaled nor subsampled, less for others.
        var samplesPerPixel: (across: Double, down: Double)
    }

    var planes: [PlaneShape]
    var groupCount: Int
    var model: PlaneModel
}

/// The meaning of the samples of a picture's planes.
struct PlaneModel: Hashable {
    enum Colour: Hashable {
        case gray
        /// Y′CbCr of BT.601.
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
    /// Whether luma runs from 16 to 235 and chroma from 16 to 240 instead of 0 to 255.
    var isLimitedRange = false
    /// Whether a plane of alpha follows, by which the others are premultiplied (255 is opaque).
    var hasAlpha = false

    var planeCount: Int { self.colour.planeCount + (self.hasAlpha ? 1 : 0) }
}
