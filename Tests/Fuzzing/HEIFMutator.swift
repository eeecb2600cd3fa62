/// Mutates an AVIF or a HEIC so that in most results boxes and data are still consistent.
struct HEIFMutator {
    private(set) var file: BoxFile
    private var random: SeededRandom

    private static let kinds = [
        "ispe", "av1C", "pixi", "colr", "auxC", "irot", "imir", "clap", "a1op", "lsel", "a1lx", "pasp", "infe", "iloc",
        "ipma", "pitm", "iref", "dimg", "auxl", "prem", "thmb", "idat", "mdat", "free", "grid", "av01", "stsz", "stco",
        "hvcC", "hvc1",
    ]

    init(_ bytes: [UInt8], random: SeededRandom) {
        self.file = BoxFile(bytes)
        self.random = random
    }

    mutating func mutate() {
        switch Int.random(in: 0..<12, using: &self.random) {
        case 0...3: self.changeNumber()
        case 4: self.changeContent()
        case 5...6: self.changeData()
        case 7...8: self.changeHeaders()
        case 9: self.repeatData()
        case 10: self.moveBoxes()
        default: self.exchangeContents()
        }
    }

    /// Overwrites a number in a box.
    private mutating func changeNumber() {
        guard let box = self.leaf() else { return }
        let byteCount = min([1, 1, 1, 2, 4, 4].randomElement(using: &self.random)!, box.payload.count)
        guard byteCount > 0 else { return }
        let at = Int.random(in: box.payload.lowerBound...box.payload.upperBound - byteCount, using: &self.random)
        let field = at..<at + byteCount
        let value =
            Bool.random(using: &self.random)
            ? self.random.remarkable() : self.file.number(field) + Int.random(in: -3...3, using: &self.random)
        self.file.set(value, in: field)
    }

    private mutating func changeContent() {
        guard let box = self.leaf() else { return }
        self.file.replace(box.payload, with: Array(self.file.bytes[box.payload]).mutated(growth: 64))
    }

    private mutating func changeData() {
        guard let place = self.place() else { return }
        self.file.replace(place.range, with: Array(self.file.bytes[place.range]).mutated(growth: 64))
        if Bool.random(using: &self.random) { self.describe(place.item) }
    }

    /// Flips bits in the data's leading headers; the container is usually updated to match.
    private mutating func changeHeaders() {
        guard let place = self.place(), !place.range.isEmpty else { return }
        for _ in 0..<Int.random(in: 1...3, using: &self.random) {
            let at = place.offset + Int.random(in: 0..<min(40, place.length), using: &self.random)
            let bit = UInt8(1) << UInt8.random(in: 0...7, using: &self.random)
            self.file.set(Int(self.file.bytes[at] ^ bit), in: at..<at + 1)
        }
        if Int.random(in: 0..<4, using: &self.random) > 0 { self.describe(place.item) }
    }

    /// Repeats an item's data: several pictures, or parts of one.
    private mutating func repeatData() {
        guard let place = self.place(), place.length < 4096 else { return }
        let data = Array(self.file.bytes[place.range])
        let from = Int.random(in: 0...data.count, using: &self.random)
        self.file.replace(place.range, with: data + data[from...])
    }

    private mutating func moveBoxes() {
        guard let box = self.file.boxes.randomElement(using: &self.random), box.range.count < 4096 else { return }
        let bytes = Array(self.file.bytes[box.range])
        switch Int.random(in: 0..<4, using: &self.random) {
        case 0: self.file.replace(box.range, with: [])
        case 1: self.file.replace(box.range, with: bytes + bytes)
        case 2:
            let kind = Self.kinds.randomElement(using: &self.random)!
            self.file.replace(box.range, with: bytes[..<4] + Array(kind.utf8) + bytes[8...])
        default:
            let others = self.file.boxes.filter { $0.parent == box.parent && !$0.range.overlaps(box.range) }
            guard let other = others.randomElement(using: &self.random) else { return }
            self.file.replace(box.range, with: bytes + self.file.bytes[other.range])
        }
    }

    /// Replaces a box's content by another box's of the same kind, such as a property of another item.
    private mutating func exchangeContents() {
        guard let box = self.leaf() else { return }
        let others = self.file.leaves.filter { $0.kind == box.kind && $0.range != box.range }
        guard let other = others.randomElement(using: &self.random) else { return self.changeNumber() }
        self.file.replace(box.payload, with: Array(self.file.bytes[other.payload]))
    }

    /// A random leaf box other than the data.
    private mutating func leaf() -> BoxFile.Box? {
        self.file.leaves.filter { $0.kind != "mdat" && !$0.payload.isEmpty }.randomElement(using: &self.random)
    }

    private mutating func place() -> BoxFile.Place? {
        let count = self.file.bytes.count
        return self.file.places.filter { $0.length > 0 && $0.length <= count && $0.offset <= count - $0.length }
            .randomElement(using: &self.random)
    }

    /// Updates the properties of an item of AV1 to match its data.
    private mutating func describe(_ item: Int) {
        let bytes = self.file.bytes
        guard let place = self.file.places.first(where: { $0.item == item && $0.length > 0 }),
            let meta = self.file.boxes.first(where: { $0.kind == "meta" }), place.range.upperBound <= bytes.count,
            let list = self.file.boxes.firstIndex(where: { $0.kind == "ipco" })
        else { return }
        let properties = self.file.boxes.filter { $0.parent == list }
        let found = bytes.withUnsafeBytes { buffer in
            (
                try? AV1Units.sequence(inBeginning: UnsafeRawBufferPointer(rebasing: buffer[place.range])),
                try? HEIFMeta(buffer, payload: meta.payload, codec: .av1, limits: .init())
            )
        }
        guard let sequence = found.0, let indices = found.1?.items[item]?.properties.map(\.index) else { return }
        for index in indices where properties.indices.contains(index) {
            let payload = properties[index].payload
            switch properties[index].kind {
            case "ispe" where payload.count >= 12:
                self.file.set(sequence.width, in: payload.lowerBound + 4..<payload.lowerBound + 8)
                self.file.set(sequence.height, in: payload.lowerBound + 8..<payload.lowerBound + 12)
            case "av1C" where payload.count >= 4:
                let start = payload.lowerBound
                for (at, byte) in sequence.configuration.bytes.enumerated() {
                    self.file.set(Int(byte), in: start + at..<start + at + 1)
                }
            default: break
            }
        }
    }
}
