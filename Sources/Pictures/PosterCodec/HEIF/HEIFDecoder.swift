/// Decodes the planes of a HEIF, or of an animation's first frame, a row of cells at a time.
///
/// Opaque pictures stay Y′CbCr with the file's subsampling, unless a clean aperture divides chroma samples: chroma is
/// then enlarged. Pictures with alpha become RGB, because subsampled chroma cannot be multiplied by alpha.
struct HEIFDecoder: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag
    private let file: HEIFLayout
    private var colours: HEIFRows
    private var alpha: HEIFRows?
    private let tables: [HEIFSampleTable]
    private let blender: HEIFBlender?
    /// For opaque pictures with a shown part that begins within a sample of chroma.
    private let enlarger: HEIFChromaEnlarger?
    private var nextRow = 0

    /// Rows of luma per group; even.
    private static let rowsPerGroup = 8

    /// - Throws: ``CodecError/damaged(reason:)`` also if the file's header differs from the plan's.
    init(_ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch) throws(CodecError) {
        var parser = HEIFParser(
            bytes, resuming: .init(ItemCodec(plan.source.format)), limits: watch.limits, isWhole: true)
        let (file, pictures) = try parser.checkToEnd()
        var header = try file.header()
        // The frame count and the number of held pictures may be missing from a plan made from a file's beginning.
        header.frameCount = plan.source.frameCount
        if plan.source.coding?.heldPictures != nil { header.coding?.note(pictures) }
        guard header == plan.source else {
            throw .damaged(reason: "not the \(header.format.rawValue) that the plan was made from")
        }
        try watch.limits.check(profileBytes: file.profile?.count ?? 0)
        let isFullRange = file.colours.isFullRange
        let samples = file.cells.samples
        let colourTag: ColourTag
        if let profile = file.profile {
            colourTag = .profile(Array(bytes[profile]))
        } else {
            colourTag = try file.tag()
        }
        let model: PlaneModel
        if samples.isMonochrome {
            model = PlaneModel(colour: .gray, isLimitedRange: !isFullRange, hasAlpha: file.alpha != nil)
        } else if file.alpha != nil || file.colours.isRGB {
            model = PlaneModel(colour: .rgb, hasAlpha: file.alpha != nil)
        } else {
            model = PlaneModel(
                colour: .yCbCr, matrix: try file.colours.yCbCrMatrix(), isLimitedRange: !isFullRange)
        }
        let blender = try file.alpha.map { _ throws(CodecError) in try HEIFBlender(file) }
        func table(_ kind: HEIFSampleTable.Kind) -> HEIFSampleTable {
            HEIFSampleTable(kind, bitDepth: samples.bitDepth, isFullRange: isFullRange)
        }
        self.file = file
        self.colourTag = colourTag
        self.colours = HEIFRows(file.cells, in: bytes, watch: watch)
        self.alpha = file.alpha.map { HEIFRows($0, in: bytes, watch: watch) }
        self.tables =
            file.colours.isRGB && !samples.isMonochrome
            ? .init(repeating: table(.expanded), count: 3) : [table(.luma), table(.chroma), table(.chroma)]
        self.blender = blender
        self.enlarger = file.alpha == nil && file.dividesChroma ? HEIFChromaEnlarger(file) : nil
        self.layout = PlaneLayout(file, model: model, rowsPerGroup: Self.rowsPerGroup)
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        let end = min(self.nextRow + Self.rowsPerGroup, self.file.part.height)
        let first = self.nextRow
        for y in first..<end {
            let row = self.file.part.top + y
            try self.colours.load(row)
            try self.alpha?.load(row)
            if let blender, let alpha {
                let rows = targets.enumerated().map { $1! + (y - first) * strides[$0] }
                try blender.blend(row, of: self.colours, tables: self.tables, alpha: alpha, into: rows)
                continue
            }
            for (index, target) in targets.enumerated() {
                let plane = self.plane(index)
                if plane > 0, let enlarger {
                    try enlarger.read(
                        row, of: plane, in: self.colours, as: self.tables[plane],
                        into: target! + (y - first) * strides[index])
                    continue
                }
                let half = self.colours.half(of: plane)
                guard y % half.down == 0 else { continue }
                try self.colours.read(
                    row / half.down, of: plane, from: self.file.part.left / half.across,
                    count: (self.file.part.width + half.across - 1) / half.across, as: self.tables[plane],
                    into: target! + (y - first) / half.down * strides[index])
            }
        }
        self.nextRow = end
        return true
    }

    /// The decoded planes without alpha, according to the header.
    static func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        !source.hasAlpha && source.colourModel == .yCbCr
            ? DecodedPlane.components(of: source, eighths: 8) : DecodedPlane.whole(of: source, at: scale)
    }

    /// The coded plane of a delivered plane: RGB is coded as green, blue and red.
    private func plane(_ index: Int) -> Int { self.layout.model.colour == .rgb ? (index + 2) % 3 : index }

    /// Does nothing: the whole file was checked before the first row.
    mutating func finish() throws(CodecError) {}
}

extension PlaneLayout {
    fileprivate init(_ file: HEIFLayout, model: PlaneModel, rowsPerGroup: Int) {
        let (width, height) = (file.part.width, file.part.height)
        let samples = file.cells.samples
        self.groupCount = (height + rowsPerGroup - 1) / rowsPerGroup
        self.model = model
        self.planes = (0..<model.planeCount).map { index in
            let isChroma = index > 0 && model.colour == .yCbCr
            let isHalved = isChroma && !file.dividesChroma
            let across = isHalved && samples.halvesAcross ? 2 : 1
            let down = isHalved && samples.halvesDown ? 2 : 1
            return PlaneShape(
                width: (width + across - 1) / across, height: (height + down - 1) / down,
                rowBytes: (width + across - 1) / across, rowsPerGroup: rowsPerGroup / down,
                samplesPerPixel: (across: 1 / Double(across), down: 1 / Double(down)))
        }
    }
}
