/// Decodes the planes of a PNG: 8 bits a sample, 16 bits rounded to 8, palettes looked up.
struct PNGDecoder: ~Copyable, PlaneSource {
    static let rowsPerGroup = 4

    let layout: PlaneLayout
    let colourTag: ColourTag
    private let width: Int
    private let deinterleaver: Deinterleaver
    private let pixels: any PNGRowDecoder
    private var rowsLeft: Int
    /// The number of rows read of a group that has not completely arrived.
    private var rowsOfGroup = 0

    /// Reads the header, and an interlaced picture up to its last pass.
    ///
    /// - Parameter arriving: Has `bytes`; `nil` if the file is complete.
    /// - Throws: ``CodecError/damaged(reason:)`` also if the file's header differs from the plan's.
    init(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes? = nil
    ) throws(CodecError) {
        let input = DecoderInput(bytes, arriving: arriving)
        var parser = PNGParser(input.present)
        guard case .header(var header) = try parser.header() else { throw .truncated }
        // The plan's orientation may come from a chunk after the picture.
        header.orientation = plan.source.orientation
        guard header == plan.source else { throw .damaged(reason: "not the PNG that the plan was made from") }
        let colours = try PNGColours(input.present, watch: watch)
        let model = PlaneModel(
            colour: header.colourModel == .gray ? .gray : .rgb, isLimitedRange: colours.isLimitedRange,
            hasAlpha: header.hasAlpha)
        let pixels: any PNGRowDecoder
        if header.isProgressive {
            guard input.arriving == nil else { throw .truncated }
            pixels = try PNGInterlacedRowDecoder(input, gamma: colours.gamma, watch: watch)
        } else {
            pixels = try PNGStreamRowDecoder(input, gamma: colours.gamma, watch: watch)
        }
        guard pixels.channels == model.planeCount else {
            throw .damaged(reason: "a PNG with an ambiguous header")
        }
        self.pixels = pixels
        self.width = header.width
        self.rowsLeft = header.height
        let plane = PlaneLayout.PlaneShape(
            width: header.width, height: header.height, rowBytes: header.width, rowsPerGroup: Self.rowsPerGroup,
            samplesPerPixel: (across: 1, down: 1))
        self.layout = PlaneLayout(
            planes: [PlaneLayout.PlaneShape](repeating: plane, count: model.planeCount),
            groupCount: (header.height + Self.rowsPerGroup - 1) / Self.rowsPerGroup, model: model)
        self.colourTag = colours.tag
        self.deinterleaver = Deinterleaver(channels: model.planeCount)
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        let count = min(Self.rowsPerGroup, self.rowsLeft)
        for y in self.rowsOfGroup..<count {
            guard let row = try self.pixels.nextRow() else {
                self.rowsOfGroup = y
                return false
            }
            self.deinterleaver.split(row, width: self.width, into: targets, strides: strides, y: y)
        }
        self.rowsOfGroup = 0
        self.rowsLeft -= count
        return true
    }

    mutating func finish() throws(CodecError) {
        try self.pixels.finish()
    }
}

/// Decodes a PNG row by row: 8 bits a sample, alpha last, not premultiplied.
protocol PNGRowDecoder: AnyObject {
    /// 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int { get }

    /// The next row, valid until the following call; `nil` if it has not arrived.
    func nextRow() throws(CodecError) -> UnsafePointer<UInt8>?

    /// Reads and checks the rest of the file.
    func finish() throws(CodecError)
}
