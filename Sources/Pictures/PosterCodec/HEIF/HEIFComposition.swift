/// Finds the shown picture among a HEIF's items (ISO/IEC 23008-12; ISO/IEC 23000-22), and checks its limits.
struct HEIFComposition {
    let bytes: UnsafeRawBufferPointer
    let meta: HEIFMeta
    let limits: CodecLimits
    /// The number of bytes needed, after ``CodecError/truncated``.
    private(set) var missing = 0

    init(_ meta: HEIFMeta, in bytes: UnsafeRawBufferPointer, limits: CodecLimits) {
        self.meta = meta
        self.bytes = bytes
        self.limits = limits
    }

    /// The properties of an item that pictures need.
    private struct Description {
        var size: (width: Int, height: Int)?
        var configuration: ItemConfiguration?
        var turns = 0
        var mirror: Int?
        var aperture: HEIFCleanAperture?
        var colours: CodePoints?
        var profile: Range<Int>?
        /// See ``HEIFProperty/lightLevel(_:)`` and ``HEIFProperty/masteringDisplay(peak:)``.
        var lightLevel: Double?
        var displayPeak: Double?
    }

    /// - Throws: ``CodecError/truncated`` if bytes are ``missing``.
    mutating func layout() throws(CodecError) -> HEIFLayout {
        guard let id = self.meta.primary, let item = self.meta.items[id] else {
            throw .damaged(reason: "a HEIF without its primary item")
        }
        let shown = try self.description(of: item)
        let cells = try self.cells(of: id)
        let alpha = try self.alpha(of: id, item, cells)
        // A grid may leave its colours to its cells.
        var colours = shown.colours
        var profile = shown.profile
        var peak = shown.lightLevel ?? shown.displayPeak
        if colours == nil, profile == nil, let cell = self.meta.targets(of: id, "dimg").first,
            let item = self.meta.items[cell]
        {
            let described = try self.description(of: item)
            (colours, profile) = (described.colours, described.profile)
            peak = peak ?? described.lightLevel ?? described.displayPeak
        }
        if colours == nil { colours = try self.codedColours(of: cells) }
        guard let colours else { throw .damaged(reason: "a HEIF without colour information") }
        let samples = cells.samples
        guard !colours.isRGB || !samples.halvesAcross || samples.isMonochrome else {
            throw .damaged(reason: "a HEIF of RGB with subsampling")
        }
        return HEIFLayout(
            codec: self.meta.codec, cells: cells, alpha: alpha?.cells,
            isPremultiplied: alpha?.isPremultiplied ?? false, colours: colours, peak: peak, profile: profile,
            profileWorkingBytes: profile.map { range in
                let prefix = UnsafeRawBufferPointer(rebasing: self.bytes[range.prefix(ICCTagTable.maxLength)])
                return ICCTagTable.workingBytes(of: prefix, byteCount: range.count)
            } ?? 0,
            part: try self.part(shown.aperture, of: cells),
            orientation: Orientation(turns: shown.turns, mirror: shown.mirror))
    }

    private func description(of item: HEIFMeta.Item) throws(CodecError) -> Description {
        var found = Description()
        for (property, isEssential) in self.meta.properties(of: item) {
            switch property {
            case .size(let width, let height): found.size = found.size ?? (width, height)
            case .coding(let configuration): found.configuration = found.configuration ?? configuration
            case .rotation(let turns): found.turns = turns
            case .mirror(let axis): found.mirror = axis
            case .cleanAperture(let aperture): found.aperture = aperture
            case .colours(let colours): found.colours = found.colours ?? colours
            case .profile(let range): found.profile = found.profile ?? range
            case .lightLevel(let level): found.lightLevel = level > 0 ? level : nil
            case .masteringDisplay(let peak): found.displayPeak = peak
            case .undecodable(let error): throw error
            case .layers(true): throw .unsupported("\(self.format) with a layer selector")
            case .unknown where isEssential: throw .unsupported("\(self.format) with an unknown essential property")
            case .auxiliary, .layers, .descriptive, .unknown: break
            }
        }
        return found
    }

    /// The alpha of the shown item, or of all cells of a grid. Alpha of only some cells is ignored.
    private mutating func alpha(
        of id: Int, _ item: HEIFMeta.Item, _ colours: HEIFCells
    ) throws(CodecError) -> (cells: HEIFCells, isPremultiplied: Bool)? {
        let alpha: HEIFCells
        var pairs: [(colour: Int, alpha: Int)] = []
        if let alphaID = self.alphaItems(of: [id])[id] {
            pairs = [(id, alphaID)]
            alpha = try self.cells(of: alphaID, size: (colours.width, colours.height))
        } else {
            guard item.kind == "grid" else { return nil }
            let cells = self.meta.targets(of: id, "dimg")
            let alphas = self.alphaItems(of: Set(cells))
            for cell in cells {
                guard let alphaID = alphas[cell] else { return nil }
                pairs.append((cell, alphaID))
            }
            alpha = try self.grid(
                pairs.map(\.alpha), columns: colours.columns, rows: colours.rows, size: (colours.width, colours.height),
                cellSize: (colours.cellWidth, colours.cellHeight))
        }
        guard (alpha.width, alpha.height) == (colours.width, colours.height) else {
            throw .damaged(reason: "a HEIF with alpha of another size")
        }
        return (alpha, pairs.allSatisfy { self.meta.targets(of: $0.colour, "prem").contains($0.alpha) })
    }

    /// The alpha items of `ids`, by the item that they belong to; the first reference counts.
    private func alphaItems(of ids: Set<Int>) -> [Int: Int] {
        var found: [Int: Int] = [:]
        // An item's properties are read once, however many references it has.
        var areAlpha: [Int: Bool] = [:]
        for reference in self.meta.references where reference.kind == "auxl" && !ids.isDisjoint(with: reference.to) {
            guard let item = self.meta.items[reference.from] else { continue }
            if areAlpha[reference.from] == nil {
                areAlpha[reference.from] = self.meta.properties(of: item).contains { $0.property.isAlpha }
            }
            guard areAlpha[reference.from] == true else { continue }
            for id in reference.to where found[id] == nil { found[id] = reference.from }
        }
        return found
    }

    private func part(
        _ aperture: HEIFCleanAperture?, of cells: HEIFCells
    ) throws(CodecError) -> (left: Int, top: Int, width: Int, height: Int) {
        guard let aperture else { return (0, 0, cells.width, cells.height) }
        guard let part = aperture.part(ofWidth: cells.width, height: cells.height) else {
            throw .damaged(reason: "a HEIF with an impossible clean aperture")
        }
        return part
    }

    /// - Parameter size: The size of an item that does not declare it; old encoders write such alpha.
    private mutating func cells(of id: Int, size: (width: Int, height: Int)? = nil) throws(CodecError) -> HEIFCells {
        guard let item = self.meta.items[id] else { throw .damaged(reason: "a HEIF that refers to a missing item") }
        switch item.kind {
        case self.meta.codec.itemKind: return try self.cell(item, size: size)
        case "grid": return try self.grid(id, item)
        default: throw .unsupported("\(self.format) of an item that is neither \(self.meta.codec.name) nor a grid")
        }
    }

    private func cell(
        _ item: HEIFMeta.Item, size: (width: Int, height: Int)? = nil
    ) throws(CodecError) -> HEIFCells {
        let found = try self.description(of: item)
        guard let (width, height) = found.size ?? size, width > 0, height > 0 else {
            throw .damaged(reason: "a HEIF without a size property")
        }
        guard let configuration = found.configuration else {
            throw .damaged(reason: "a HEIF without a codec configuration")
        }
        guard let extents = item.extents else { throw .unsupported("\(self.format) with external data") }
        try self.check(width: width, height: height)
        if case .hevc(let hevc) = configuration, !hevc.sequence.covers(width: width, height: height) {
            throw .damaged(reason: "a HEIC with a picture of another size than its item")
        }
        return HEIFCells(
            width: width, height: height, columns: 1, rows: 1, cellWidth: width, cellHeight: height,
            configuration: configuration, extents: [extents])
    }

    /// A picture composed of cells of one size (ISO/IEC 23008-12, 6.6.2.3).
    private mutating func grid(_ id: Int, _ item: HEIFMeta.Item) throws(CodecError) -> HEIFCells {
        guard let extent = item.extents?.first, item.extents?.count == 1 else {
            throw .unsupported("\(self.format) with external data")
        }
        // The sides have two or four bytes.
        var fields = ISOFields(self.bytes, in: try self.present(extent.prefix(12)))
        let version = try fields.number(1)
        guard version == 0 else { throw .unsupported("\(self.format) with a grid of an unknown version") }
        let sideLength = try fields.number(1) & 1 == 0 ? 2 : 4
        let (rows, columns) = (try fields.number(1) + 1, try fields.number(1) + 1)
        let (width, height) = (try fields.number(sideLength), try fields.number(sideLength))
        guard width > 0, height > 0 else { throw .damaged(reason: "a HEIF with an empty grid") }
        try CodecLimits.check(.gridCells, rows * columns, atMost: self.limits.maxGridCells)
        try self.check(width: width, height: height)
        let ids = self.meta.targets(of: id, "dimg")
        guard ids.count == rows * columns else {
            throw .damaged(reason: "a HEIF with a wrong number of grid cells")
        }
        return try self.grid(ids, columns: columns, rows: rows, size: (width, height))
    }

    /// - Parameter cellSize: The size of items that do not declare it.
    private func grid(
        _ ids: [Int], columns: Int, rows: Int, size: (width: Int, height: Int),
        cellSize: (width: Int, height: Int)? = nil
    ) throws(CodecError) -> HEIFCells {
        let (width, height) = size
        var cells: [HEIFCells] = []
        for id in ids {
            guard let item = self.meta.items[id], item.kind == self.meta.codec.itemKind else {
                throw .unsupported("\(self.format) with a grid of items that are not \(self.meta.codec.name)")
            }
            cells.append(try self.cell(item, size: cellSize))
        }
        guard let first = cells.first else { throw .damaged(reason: "a HEIF with an empty grid") }
        let isUniform = cells.allSatisfy {
            ($0.width, $0.height) == (first.width, first.height) && $0.configuration == first.configuration
        }
        guard isUniform else { throw .damaged(reason: "a HEIF with a grid of different cells") }
        let isCovered = first.width * columns >= width && first.height * rows >= height
        guard isCovered, first.width * (columns - 1) < width, first.height * (rows - 1) < height else {
            throw .damaged(reason: "a HEIF with a grid that does not fit its cells")
        }
        let (acrossUnit, downUnit) = (
            columns > 1 && first.samples.halvesAcross ? 2 : 1, rows > 1 && first.samples.halvesDown ? 2 : 1
        )
        guard first.width % acrossUnit == 0, first.height % downUnit == 0 else {
            throw .damaged(reason: "a HEIF with a grid whose cells split chroma samples")
        }
        return HEIFCells(
            width: width, height: height, columns: columns, rows: rows, cellWidth: first.width,
            cellHeight: first.height, configuration: first.configuration, extents: cells.flatMap(\.extents))
    }

    /// Prevents products of sides from overflowing before limits are checked.
    private func check(width: Int, height: Int) throws(CodecError) {
        guard max(width, height) <= Self.longestSide else {
            throw .damaged(reason: "a HEIF of \(width) × \(height) pixels")
        }
    }

    private static let longestSide = 1 << 30

    /// The colours according to the coded data; AV1's are in the sequence header at the beginning of the first cell.
    private mutating func codedColours(of cells: HEIFCells) throws(CodecError) -> CodePoints? {
        if case .hevc(let hevc) = cells.configuration { return hevc.sequence.colours }
        guard let extent = cells.extents.first?.first else { throw .damaged(reason: "a HEIF without data") }
        let beginning = try self.present(extent.prefix(AV1Units.beginningLength))
        return try AV1Units.sequence(inBeginning: UnsafeRawBufferPointer(rebasing: self.bytes[beginning])).colours
    }

    private var format: String { self.meta.codec.format.rawValue }

    /// - Throws: ``CodecError/truncated`` if bytes of the range have not arrived.
    private mutating func present(_ range: Range<Int>) throws(CodecError) -> Range<Int> {
        guard range.upperBound <= self.bytes.count else {
            self.missing = range.upperBound
            throw .truncated
        }
        return range
    }
}
