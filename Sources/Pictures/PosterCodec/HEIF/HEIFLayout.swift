/// The coded pictures that make up the colours of a HEIF, or its alpha: one, or the cells of a grid.
struct HEIFCells: Sendable {
    /// The total size in pixels. Cells may reach beyond it.
    let width, height: Int
    let columns, rows: Int
    let cellWidth, cellHeight: Int
    /// The configuration of all cells.
    let configuration: ItemConfiguration
    /// The ranges of each cell's data, row by row.
    let extents: [[Range<Int>]]

    var samples: SampleFormat { self.configuration.samples }
}

/// The properties of a HEIF and the ranges of its decoded parts.
struct HEIFLayout: Sendable {
    let codec: ItemCodec
    let cells: HEIFCells
    /// Has the size of ``cells``; `nil` without alpha.
    let alpha: HEIFCells?
    /// Whether colours are premultiplied by alpha.
    let isPremultiplied: Bool
    let colours: CodePoints
    /// The luminance of the brightest pixel in cd/m²; `nil` if unknown.
    let peak: Double?
    /// The bytes of an ICC profile, which takes precedence over the colours' primaries and curve.
    let profile: Range<Int>?
    /// See ``ImageHeader/profileWorkingBytes``.
    let profileWorkingBytes: Int
    /// The shown part, in pixels before ``orientation`` is applied.
    let part: (left: Int, top: Int, width: Int, height: Int)
    let orientation: Orientation
    /// The number of frames; 1 if unknown. Only the first is decoded.
    var frameCount = 1

    /// The colour space in the absence of an ICC profile.
    ///
    /// - Throws: ``CodecError/unsupported(_:)``.
    func tag() throws(CodecError) -> ColourTag { try self.colours.tag(peak: self.peak) }

    /// Whether ``part`` begins within a sample of chroma; chroma is then enlarged to full size before it is cropped.
    var dividesChroma: Bool {
        let samples = self.cells.samples
        guard !samples.isMonochrome else { return false }
        return samples.halvesAcross && self.part.left % 2 != 0
            || samples.halvesDown && self.part.top % 2 != 0
    }

    /// The header, without the number of coded pictures, which requires the whole file.
    func header() throws(CodecError) -> ImageHeader {
        let samples = self.cells.samples
        let hasMatrix = !samples.isMonochrome && !self.colours.isRGB
        let matrix = try hasMatrix ? self.colours.yCbCrMatrix() : nil
        let tag = try self.profile == nil ? self.tag() : .sRGB
        let one = ImageHeader.SamplingFactors(horizontal: 1, vertical: 1)
        let isEnlarged = self.dividesChroma
        let luma = ImageHeader.SamplingFactors(
            horizontal: samples.halvesAcross && !isEnlarged ? 2 : 1,
            vertical: samples.halvesDown && !isEnlarged ? 2 : 1)
        let coding = HEIFCoding(
            colours: HEIFCoding.Cells(self.cells), alpha: self.alpha.map(HEIFCoding.Cells.init),
            joinedBytes: self.joinedBytes, isPlain: (matrix == nil || matrix == .bt601) && tag == .sRGB)
        var header = ImageHeader(
            format: self.codec.format, width: self.part.width, height: self.part.height, orientation: self.orientation,
            bitDepth: samples.bitDepth,
            colourModel: samples.isMonochrome ? .gray : self.colours.isRGB ? .rgb : .yCbCr,
            sampling: matrix == nil ? [] : [luma, one, one], isProgressive: false, isMultiScan: false,
            hasAlpha: self.alpha != nil, frameCount: self.frameCount, hasICCProfile: self.profile != nil,
            coding: coding)
        header.profileBytes = self.profile?.count ?? 0
        header.profileWorkingBytes = self.profileWorkingBytes
        return header
    }

    /// The ranges of all coded pictures' data.
    var extents: [[Range<Int>]] { self.cells.extents + (self.alpha?.extents ?? []) }

    /// The end of the pictures' data. Other items, such as EXIF, may follow it or be missing.
    var end: Int { self.extents.joined().map(\.upperBound).max() ?? 0 }

    /// The size of the longest data that is copied for the decoder: joined from several parts, or of HEVC.
    private var joinedBytes: Int {
        let copied = self.extents.lazy.filter { $0.count > 1 || self.codec == .hevc }
        return copied.map { $0.reduce(0) { $0 + $1.count } }.max() ?? 0
    }
}

extension Orientation {
    /// Applies the turn first, then the mirror.
    ///
    /// - Parameters:
    ///   - turns: Anticlockwise, in quarters of a turn.
    ///   - mirror: See ``HEIFProperty/mirror(_:)``; `nil` without one.
    init(turns: Int, mirror: Int?) {
        switch (turns, mirror) {
        case (1, nil): self = .turnedRight
        case (2, nil): self = .upsideDown
        case (3, nil): self = .turnedLeft
        case (_, nil): self = .upright
        case (1, 0), (3, 1): self = .transposed
        case (1, _), (3, _): self = .transversed
        case (2, 0), (0, 1): self = .mirrored
        default: self = .mirroredUpsideDown
        }
    }
}
