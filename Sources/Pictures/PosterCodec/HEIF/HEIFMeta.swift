/// The items of a HEIF (ISO/IEC 14496-12, 8.11): the content of its `meta` box, as far as pictures need it.
struct HEIFMeta {
    struct Item {
        var kind: ISOBox.Kind
        /// The ranges of the item's data, in order; `nil` if it cannot be read.
        var extents: [Range<Int>]?
        /// Indices in ``properties``, from 0 on, and whether a reader must understand the property.
        var properties: [(index: Int, isEssential: Bool)] = []
    }

    struct Reference {
        let kind: ISOBox.Kind
        let from: Int
        let to: [Int]
    }

    private(set) var primary: Int?
    private(set) var items: [Int: Item] = [:]
    private(set) var properties: [HEIFProperty] = []
    private(set) var references: [Reference] = []

    let codec: ItemCodec
    private let limits: CodecLimits
    private var referenceCount = 0

    /// Maximum number of parts of an item's data. Encoders write one, or one per layer.
    private static let extentLimit = 64
    /// Maximum number of references, as a multiple of the limit of items. Cells have one each, their alpha two.
    private static let referencesPerItem = 8
    /// Maximum offset of data, so that sums of lengths do not overflow.
    static let farthest = 1 << 40

    /// - Parameters:
    ///   - bytes: The file's beginning, including the whole box.
    ///   - payload: The payload of the `meta` box.
    init(
        _ bytes: UnsafeRawBufferPointer, payload: Range<Int>, codec: ItemCodec, limits: CodecLimits
    ) throws(CodecError) {
        self.codec = codec
        self.limits = limits
        var content = ISOFields(bytes, in: payload)
        try content.skip(4)
        var parts: [ISOBox.Kind: Range<Int>] = [:]
        var boxes = ISOBoxes(bytes, in: content.rest)
        while let box = try boxes.nextInside() {
            if parts[box.kind] == nil { parts[box.kind] = box.payload }
        }
        if let range = parts["pitm"] { self.primary = try Self.primary(ISOFields(bytes, in: range)) }
        if let range = parts["iinf"] { try self.readItems(bytes, in: range) }
        if let range = parts["iloc"] { try self.readLocations(ISOFields(bytes, in: range), data: parts["idat"]) }
        if let range = parts["iref"] { try self.readReferences(bytes, in: range) }
        if let range = parts["iprp"] { try self.readProperties(bytes, in: range) }
    }

    /// Converts the pictures of tracks to items.
    ///
    /// - Parameters:
    ///   - colours: Becomes the primary item.
    ///   - alpha: `nil` without alpha.
    init(colours: HEIFTracks.Track, alpha: HEIFTracks.Track?, codec: ItemCodec, limits: CodecLimits) {
        self.codec = codec
        self.limits = limits
        self.primary = colours.id
        for track in [colours, alpha].compactMap(\.self) {
            let indices = self.properties.count..<self.properties.count + track.properties.count
            self.properties += track.properties
            self.items[track.id] = Item(
                kind: codec.itemKind, extents: track.firstSample.map { [$0] },
                properties: indices.map { (index: $0, isEssential: false) })
            self.references += track.references
        }
    }

    func properties(of item: Item) -> [(property: HEIFProperty, isEssential: Bool)] {
        item.properties.compactMap { association in
            self.properties.indices.contains(association.index)
                ? (self.properties[association.index], association.isEssential) : nil
        }
    }

    /// The items that `id` refers to.
    func targets(of id: Int, _ kind: ISOBox.Kind) -> [Int] {
        self.references.lazy.filter { $0.from == id && $0.kind == kind }.flatMap(\.to)
    }

    private static func primary(_ fields: ISOFields) throws(CodecError) -> Int {
        var fields = fields
        let version = try fields.version()
        try fields.skip(3)
        return try fields.number(version == 0 ? 2 : 4)
    }

    private mutating func readItems(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(CodecError) {
        var fields = ISOFields(bytes, in: range)
        let version = try fields.version()
        try fields.skip(3)
        _ = try fields.number(version == 0 ? 2 : 4)
        var boxes = ISOBoxes(bytes, in: fields.rest)
        while let box = try boxes.nextInside() {
            guard box.kind == "infe" else { continue }
            var entry = ISOFields(bytes, in: box.payload)
            let version = try entry.version()
            try entry.skip(3)
            // Other versions of `infe` have no item type.
            guard version == 2 || version == 3 else { continue }
            let id = try entry.number(version == 2 ? 2 : 4)
            let protection = try entry.number(2)
            guard self.items[id] == nil else { throw .damaged(reason: "a HEIF with two items of the same id") }
            let kind = try entry.kind()
            self.items[id] = Item(kind: protection == 0 ? kind : "")
            try CodecLimits.check(.items, self.items.count, atMost: self.limits.maxItems)
        }
    }

    private mutating func readLocations(_ fields: ISOFields, data: Range<Int>?) throws(CodecError) {
        var fields = fields
        let version = try fields.version()
        try fields.skip(3)
        let sizes = try fields.number(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains), version <= 2 else {
            throw .damaged(reason: "a HEIF with an unknown form of item locations")
        }
        let count = try fields.number(version < 2 ? 2 : 4)
        try CodecLimits.check(.items, count, atMost: self.limits.maxItems)
        for _ in 0..<count {
            let id = try fields.number(version < 2 ? 2 : 4)
            let method = try fields.number(version == 0 ? 0 : 2) & 15
            let file = try fields.number(2)
            let base = try fields.number(baseSize)
            let extentCount = try fields.number(2)
            guard extentCount <= Self.extentLimit else {
                throw .damaged(reason: "a HEIF with an item in \(extentCount) parts")
            }
            var extents: [Range<Int>] = []
            var isEmpty = extentCount == 0
            for _ in 0..<extentCount {
                _ = try fields.number(indexSize)
                let (offset, length) = (try fields.number(offsetSize), try fields.number(lengthSize))
                isEmpty = isEmpty || length == 0
                let box = method == 1 ? data : nil
                extents.append(try Self.extent(base: base, offset: offset, length: length, in: box))
            }
            guard self.items[id] != nil else { continue }
            guard self.items[id]?.extents == nil else {
                throw .damaged(reason: "a HEIF with two locations of one item")
            }
            // Data in other files, or made of other items, cannot be read.
            let isReadable = file == 0 && (method == 0 || method == 1 && data != nil) && !isEmpty
            self.items[id]?.extents = isReadable ? extents : nil
        }
    }

    /// - Parameter data: The box that the offset counts from; `nil` for the file.
    private static func extent(
        base: Int, offset: Int, length: Int, in data: Range<Int>?
    ) throws(CodecError) -> Range<Int> {
        let (start, isBeyond) = base.addingReportingOverflow(offset)
        let (end, endIsBeyond) = start.addingReportingOverflow(length)
        guard !isBeyond, !endIsBeyond, end <= Self.farthest else {
            throw .damaged(reason: "a HEIF with an item at an invalid offset")
        }
        guard let data else { return start..<end }
        guard end <= data.count else { throw .damaged(reason: "a HEIF with an item beyond its box") }
        return data.lowerBound + start..<data.lowerBound + end
    }

    private mutating func readReferences(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(CodecError) {
        var fields = ISOFields(bytes, in: range)
        let version = try fields.version()
        let size = version == 0 ? 2 : 4
        try fields.skip(3)
        var boxes = ISOBoxes(bytes, in: fields.rest)
        while let box = try boxes.nextInside() {
            var fields = ISOFields(bytes, in: box.payload)
            let from = try fields.number(size)
            let count = try fields.number(2)
            self.referenceCount += 1 + count
            try CodecLimits.check(
                .itemReferences, self.referenceCount, atMost: Self.referencesPerItem * self.limits.maxItems)
            var to: [Int] = []
            for _ in 0..<count { to.append(try fields.number(size)) }
            self.references.append(Reference(kind: box.kind, from: from, to: to))
        }
    }

    private mutating func readProperties(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) throws(CodecError) {
        var boxes = ISOBoxes(bytes, in: range)
        while let box = try boxes.nextInside() {
            if box.kind == "ipma" { try self.readAssociations(ISOFields(bytes, in: box.payload)) }
            guard box.kind == "ipco", self.properties.isEmpty else { continue }
            var inner = ISOBoxes(bytes, in: box.payload)
            while let property = try inner.nextInside() {
                self.properties.append(try HEIFProperty(property, in: bytes, codec: self.codec))
                try CodecLimits.check(.itemProperties, self.properties.count, atMost: self.limits.maxItems)
            }
        }
    }

    private mutating func readAssociations(_ fields: ISOFields) throws(CodecError) {
        var fields = fields
        let version = try fields.version()
        let flags = try fields.number(3)
        let isLong = flags & 1 == 1
        let count = try fields.number(4)
        for _ in 0..<count {
            let id = try fields.number(version == 0 ? 2 : 4)
            var associations: [(index: Int, isEssential: Bool)] = []
            let associationCount = try fields.number(1)
            for _ in 0..<associationCount {
                let value = try fields.number(isLong ? 2 : 1)
                let top = isLong ? 0x8000 : 0x80
                // 0 is no property.
                if value & (top - 1) > 0 { associations.append((value & (top - 1) - 1, value & top != 0)) }
            }
            guard self.items[id]?.properties.isEmpty == true else { continue }
            self.items[id]?.properties = associations
        }
    }
}
