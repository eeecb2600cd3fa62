/// A decoder that delivers the planes of a picture, a group of rows at a time.
///
/// Noncopyable conformers own a decoder; all borrow their input, so they must not outlive the closure that created
/// them. They can start on an arriving file as soon as its header is complete. Files with rows out of order, or files
/// that need a library that cannot wait, throw ``CodecError/truncated`` until they are complete. The delivered planes
/// do not depend on the timing of arrivals.
protocol PlaneSource: ~Copyable {
    var layout: PlaneLayout { get }
    var colourTag: ColourTag { get }

    /// Writes the next group: for each plane ``PlaneLayout/PlaneShape/rowsPerGroup`` rows of
    /// ``PlaneLayout/PlaneShape/rowBytes`` bytes to its target, `strides` bytes apart. Call it for
    /// ``PlaneLayout/groupCount`` groups.
    ///
    /// - Returns: `false` if bytes of the group have not arrived. Call again with the same targets then; they may hold
    ///   a part of the group.
    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool

    /// Reads and checks the rest of the file, which must have arrived completely.
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
        /// Samples per sample of the file, along each side: less than 1 if the decoder shrinks the plane.
        var scale = 1.0
    }

    var planes: [PlaneShape]
    var groupCount: Int
    var model: PlaneModel
}
