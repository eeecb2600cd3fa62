import CPosterCodecs

/// Delivers the planes of a PNG: 8 bits a sample, 16 rounded to them, palettes looked up.
struct PNGReader: ~Copyable, PlaneSource {
    private static let rowsPerGroup = 8

    let layout: PlaneLayout
    let colourTag: ColourTag
    private let decoder: PNGDecoder
    private let splitter: PixelSplitter
    /// One row of pixels, or all of them when the picture is interlaced.
    private var pixels: [UInt8]
    private let isInterlaced: Bool
    private var rowsDelivered = 0

    /// Reads the header; of an interlaced picture the whole, because its last pass has pixels of the second row.
    ///
    /// - Parameters:
    ///   - bytes: The encoded picture. It must stay valid for as long as the reader lives.
    ///   - plan: Made from this picture's header.
    /// - Throws: ``CodecError/damaged(reason:)`` also when the file has another header than the plan was made from.
    init(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, limits: CodecLimits, watch: RenderWatch
    ) throws(CodecError) {
        var walker = PNGWalker(bytes)
        guard case .header(var header) = try walker.header() else { throw .truncated }
        // It may have been found after the picture.
        header.orientation = plan.source.orientation
        guard header == plan.source else { throw .damaged(reason: "not the PNG that the plan was made from") }
        let colours = try PNGColours(bytes, limits: limits)
        let decoder = try PNGDecoder(bytes, gamma: colours.gamma, limits: limits)
        let frame = decoder.frame
        let model = PlaneModel(
            colour: header.colourModel == .gray ? .gray : .rgb, hasAlpha: header.hasAlpha)
        guard
            (Int(frame.width), Int(frame.height), Int(frame.channels)) == (
                header.width, header.height, model.planeCount
            )
        else { throw .damaged(reason: "libpng understands the PNG's header otherwise") }

        let isInterlaced = frame.passes > 1
        var pixels = [UInt8](repeating: 0, count: decoder.rowBytes * (isInterlaced ? header.height : 1))
        if isInterlaced {
            try Self.readPasses(of: decoder, into: &pixels, watch: watch)
        }
        self.pixels = pixels
        self.isInterlaced = isInterlaced
        self.layout = PlaneLayout(header, model: model, rowsPerGroup: Self.rowsPerGroup)
        self.colourTag = colours.tag
        self.splitter = PixelSplitter(channels: model.planeCount)
        self.decoder = decoder
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) {
        let count = min(Self.rowsPerGroup, Int(self.decoder.frame.height) - self.rowsDelivered)
        var rows = targets.compactMap(\.self)
        for _ in 0..<count {
            try self.readRow(into: rows)
            for index in rows.indices { rows[index] += strides[index] }
            self.rowsDelivered += 1
        }
    }

    mutating func finish() throws(CodecError) {
        try self.decoder.finish()
    }

    private mutating func readRow(into targets: [UnsafeMutablePointer<UInt8>]) throws(CodecError) {
        let width = Int(self.decoder.frame.width)
        let start = self.isInterlaced ? self.rowsDelivered * self.decoder.rowBytes : 0
        let isInterlaced = self.isInterlaced
        let splitter = self.splitter
        try self.pixels.withUnsafeMutableBufferPointer { (pixels) throws(CodecError) in
            let row = pixels.baseAddress! + start
            if !isInterlaced { try self.decoder.readRow(into: row) }
            splitter.split(row, width: width, into: targets)
        }
    }

    private static func readPasses(
        of decoder: borrowing PNGDecoder, into pixels: inout [UInt8], watch: RenderWatch
    ) throws(CodecError) {
        let (passes, height, rowBytes) = (decoder.frame.passes, Int(decoder.frame.height), decoder.rowBytes)
        try pixels.withUnsafeMutableBufferPointer { (pixels) throws(CodecError) in
            for _ in 0..<passes {
                for y in 0..<height {
                    if y % Self.rowsPerGroup == 0 { try watch.check() }
                    try decoder.readRow(into: pixels.baseAddress! + y * rowBytes)
                }
            }
        }
    }
}

extension PlaneLayout {
    fileprivate init(_ header: ImageHeader, model: PlaneModel, rowsPerGroup: Int) {
        let plane = Plane(
            width: header.width, height: header.height, rowBytes: header.width, rowsPerGroup: rowsPerGroup,
            samplesPerPixel: (across: 1, down: 1))
        self.planes = [Plane](repeating: plane, count: model.planeCount)
        self.groupCount = (header.height + rowsPerGroup - 1) / rowsPerGroup
        self.model = model
    }
}
