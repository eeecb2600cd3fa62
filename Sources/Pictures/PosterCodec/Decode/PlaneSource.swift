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
