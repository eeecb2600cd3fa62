@testable import PosterCodec

/// Builds an AVIF or a HEIC from boxes.
struct HEIFFile {
    struct Item {
        var id: Int
        var kind = "av01"
        /// Its coded data; empty if ``place`` refers to the data of another item.
        var data: [UInt8] = []
        /// One-based indices in ``HEIFFile/properties``.
        var properties: [Int] = []
        /// Whether its properties are marked as essential.
        var areEssential = false
        /// The number of extents that the data is split into.
        var parts = 1
        var isInBox = false
        /// Declared offset and length, instead of the real ones.
        var place: (Int, Int)?
    }

    var brand = "avif"
    /// The compatible brands.
    var brands = "avifmif1miaf"
    var primary = 1
    var items: [Item] = []
    var properties: [[UInt8]] = []
    var references: [(kind: String, from: Int, to: [Int])] = []
    /// Boxes after `ftyp`.
    var before: [UInt8] = []

    static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        PNGFile.number(8 + content.count) + Array(kind.utf8) + content
    }

    static func fullBox(_ kind: String, version: UInt8 = 0, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        self.box(kind, [version, 0, 0, flags] + content)
    }

    static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

    static func size(_ width: Int, _ height: Int) -> [UInt8] {
        self.fullBox("ispe", PNGFile.number(width) + PNGFile.number(height))
    }

    static func grid(_ columns: Int, _ rows: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + PNGFile.number(width) + PNGFile.number(height)
    }

    static func colours(_ primaries: Int, _ transfer: Int, _ matrix: Int, isFullRange: Bool = true) -> [UInt8] {
        self.box(
            "colr",
            Array("nclx".utf8) + self.short(primaries) + self.short(transfer) + self.short(matrix)
                + [isFullRange ? 0x80 : 0])
    }

    static let alpha = Self.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))

    var bytes: [UInt8] {
        let head = Self.box("ftyp", Array("\(self.brand)\0\0\0\0\(self.brands)".utf8)) + self.before
        let length = head.count + self.meta(dataStart: 0).count + 8
        let meta = self.meta(dataStart: length)
        return head + meta + Self.box("mdat", self.items.flatMap { $0.isInBox ? [] : $0.data })
    }

    private func meta(dataStart: Int) -> [UInt8] {
        var entries: [UInt8] = []
        var locations: [UInt8] = []
        var associations: [UInt8] = []
        var (offset, boxed) = (dataStart, [UInt8]())
        for item in self.items {
            entries += Self.fullBox(
                "infe", version: 2, Self.short(item.id) + [0, 0] + Array(item.kind.utf8) + [0])
            locations += Self.short(item.id) + [0, item.isInBox ? 1 : 0, 0, 0]
            if let place = item.place {
                locations += Self.short(1) + PNGFile.number(place.0) + PNGFile.number(place.1)
            } else {
                locations += Self.short(item.parts)
                let start = item.isInBox ? boxed.count : offset
                for part in 0..<item.parts {
                    let (from, to) = (
                        item.data.count * part / item.parts, item.data.count * (part + 1) / item.parts
                    )
                    locations += PNGFile.number(start + from) + PNGFile.number(to - from)
                }
            }
            if item.isInBox { boxed += item.data } else { offset += item.data.count }
            associations += Self.short(item.id) + [UInt8(item.properties.count)]
            associations += item.properties.map { UInt8($0) | (item.areEssential ? 0x80 : 0) }
        }
        let references = self.references.flatMap { reference in
            Self.box(
                reference.kind,
                Self.short(reference.from) + Self.short(reference.to.count) + reference.to.flatMap(Self.short))
        }
        let parts: [[UInt8]] = [
            Self.fullBox("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)),
            Self.fullBox("pitm", Self.short(self.primary)),
            Self.fullBox("iloc", version: 1, [0x44, 0] + Self.short(self.items.count) + locations),
            Self.fullBox("iinf", Self.short(self.items.count) + entries),
            self.references.isEmpty ? [] : Self.fullBox("iref", references),
            Self.box(
                "iprp",
                Self.box("ipco", self.properties.flatMap(\.self))
                    + Self.fullBox("ipma", PNGFile.number(self.items.count) + associations)),
            boxed.isEmpty ? [] : Self.box("idat", boxed),
        ]
        return Self.fullBox("meta", parts.flatMap(\.self))
    }
}

extension HEIFFile {
    /// A coded picture, with its size as property 1 and its configuration as property 2.
    struct Cell {
        var width, height: Int
        /// The kind of its item.
        var kind = "av01"
        var data: [UInt8]
        var properties: [[UInt8]]

        init(width: Int, height: Int, kind: String, data: [UInt8], properties: [[UInt8]]) {
            (self.width, self.height, self.kind, self.data, self.properties) = (width, height, kind, data, properties)
        }

        /// - Parameter file: An AVIF of a single picture.
        init(_ file: EncodedAVIF) throws {
            let bytes = file.bytes
            (self.data, self.properties) = try bytes.withUnsafeBytes { buffer in
                var parser = HEIFParser(buffer, resuming: .init(.av1), limits: .init(), isWhole: true)
                guard case .layout(let layout) = try parser.layout() else { throw CodecError.truncated }
                let extent = layout.cells.extents[0][0]
                return (
                    Array(buffer[extent]),
                    [
                        HEIFFile.size(file.width, file.height),
                        HEIFFile.box("av1C", layout.cells.samples.bytes),
                    ]
                )
            }
            (self.width, self.height) = (file.width, file.height)
        }
    }

    init(_ cell: Cell, adding properties: [[UInt8]] = []) {
        self.properties = cell.properties + properties
        self.setBrand(cell)
        self.items = [
            Item(id: 1, kind: cell.kind, data: cell.data, properties: Array(1...2 + properties.count))
        ]
    }

    /// A grid that repeats one picture; all cells share its data.
    init(_ cell: Cell, columns: Int, rows: Int, width: Int? = nil, height: Int? = nil) {
        self.properties = cell.properties
        let (width, height) = (width ?? columns * cell.width, height ?? rows * cell.height)
        self.properties.append(Self.size(width, height))
        self.setBrand(cell)
        let grid = Self.grid(columns, rows, width, height)
        self.items = [Item(id: 1, kind: "grid", data: grid, properties: [3], isInBox: true)]
        let ids = Array(2..<2 + columns * rows)
        self.items.append(Item(id: 2, kind: cell.kind, data: cell.data, properties: [1, 2]))
        self.references = [("dimg", 1, ids)]
        let start = self.bytes.count - cell.data.count
        for id in ids.dropFirst() {
            self.items.append(Item(id: id, kind: cell.kind, properties: [1, 2], place: (start, cell.data.count)))
        }
        // The added items have moved the data.
        let moved = self.bytes.count - cell.data.count
        for index in 2..<self.items.count { self.items[index].place = (moved, cell.data.count) }
    }

    private mutating func setBrand(_ cell: Cell) {
        if cell.kind == "hvc1" { (self.brand, self.brands) = ("heic", "mif1heic") }
    }
}
