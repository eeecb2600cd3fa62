/// A decoder that delivers the planes of a picture, a group of rows at a time.
///
/// Noncopyable conformers own a decoder; all of them borrow their input, so they must not outlive the closure in which
/// they were made. They can begin with a file that is arriving as soon as its header is there; files whose rows are not in
/// order, or need a library that cannot wait, are ``CodecError/truncated`` until they are complete. What has arrived when
/// makes no difference to what they deliver.
protocol PlaneSource: ~Copyable {
    var layout: PlaneLayout { get }
    var colourTag: ColourTag { get }

    /// Writes the next group: for each plane ``PlaneLayout/PlaneShape/rowsPerGroup`` rows of
    /// ``PlaneLayout/PlaneShape/rowBytes`` bytes to where `targets` point, `strides` bytes apart. To be called until there
    /// were ``PlaneLayout/groupCount``.
    ///
    /// - Returns: false when bytes of it have not arrived yet. It is to be called again with the same targets then, which
    ///   may hold a part of the group.
    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool

    /// Reads the rest of the file, all of which must have arrived, and checks it.
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
        /// Samples per sample of the file, along each side: less than 1 where the decoder shrinks the plane.
        var scale = 1.0
    }

    var planes: [PlaneShape]
    var groupCount: Int
    var model: PlaneModel
}

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
    /// The matrix of Y′CbCr.
    var matrix = YCbCrMatrix.bt601
    /// Whether luma runs from 16 to 235 and chroma from 16 to 240 instead of 0 to 255.
    var isLimitedRange = false
    /// Whether a plane of alpha follows, by which the others are premultiplied (255 is opaque).
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
