/// An ISO base media file that stays consistent while parts of it are replaced: box sizes and data offsets are updated.
struct BoxFile {
    struct Box {
        let kind: String
        /// Including the header.
        let range: Range<Int>
        let payload: Range<Int>
        /// The index of the enclosing box.
        let parent: Int?
        var isContainer = false
    }

    /// The location of data as described in the file.
    struct Place {
        let item: Int
        /// The byte ranges of the offset and length fields.
        let offsetField, lengthField: Range<Int>
        let offset, length: Int

        var range: Range<Int> { self.offset..<self.offset + self.length }
    }

    private(set) var bytes: [UInt8]
    private(set) var boxes: [Box] = []
    private(set) var places: [Place] = []

    /// Number of bytes before a container's child boxes.
    private static let containers: [String: Int] = [
        "meta": 4, "iinf": 6, "iref": 4, "iprp": 0, "ipco": 0, "moov": 0, "trak": 0, "tref": 0, "mdia": 0, "minf": 0,
        "dinf": 0, "stbl": 0, "stsd": 8, "av01": 78,
    ]
    private static let boxLimit = 1024

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.parse()
    }

    /// The boxes without child boxes.
    var leaves: [Box] { self.boxes.filter { !$0.isContainer } }

    /// Replaces bytes and updates the sizes and locations that this affects.
    mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        let growth = new.count - range.count
        for box in self.boxes
        where box.payload.lowerBound <= range.lowerBound && range.upperBound <= box.payload.upperBound {
            let isLong = box.payload.lowerBound - box.range.lowerBound >= 16
            let at = box.range.lowerBound + (isLong ? 8 : 0)
            let size = self.number(at..<at + (isLong ? 8 : 4))
            if size > 1 { self.bytes.set(size &+ growth, at: at, byteCount: isLong ? 8 : 4) }
        }
        for place in self.places where growth != 0 {
            let isInside = place.offset <= range.lowerBound && range.upperBound <= place.range.upperBound
            if place.offset >= range.upperBound, place.offset > range.lowerBound {
                self.set(place.offset + growth, in: place.offsetField, unlessIn: range)
            } else if isInside {
                self.set(place.length + growth, in: place.lengthField, unlessIn: range)
            }
        }
        self.bytes.replaceSubrange(range, with: new)
        self.parse()
    }

    /// Writes a number over the bytes of `field`.
    mutating func set(_ value: Int, in field: Range<Int>) {
        self.bytes.set(value, at: field.lowerBound, byteCount: field.count)
        self.parse()
    }

    func number(_ range: Range<Int>) -> Int {
        self.bytes[range].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func set(_ value: Int, in field: Range<Int>, unlessIn replaced: Range<Int>) {
        guard !field.isEmpty, !replaced.overlaps(field) else { return }
        self.bytes.set(value, at: field.lowerBound, byteCount: field.count)
    }

    private mutating func parse() {
        self.boxes = []
        self.places = []
        self.parse(0..<self.bytes.count, in: nil)
        for box in self.boxes {
            switch box.kind {
            case "iloc": self.readItems(box.payload)
            case "stco": self.readChunks(box.payload)
            default: break
            }
        }
    }

    private mutating func parse(_ range: Range<Int>, in parent: Int?) {
        var at = range.lowerBound
        while at + 8 <= range.upperBound, self.boxes.count < Self.boxLimit {
            var size = self.number(at..<at + 4)
            var content = at + 8
            if size == 1, at + 16 <= range.upperBound {
                size = self.number(at + 8..<at + 16)
                content += 8
            } else if size == 0 {
                size = range.upperBound - at
            }
            guard size >= content - at, size <= range.upperBound - at else { return }
            let kind = String(decoding: self.bytes[at + 4..<at + 8], as: UTF8.self)
            let payload = content..<at + size
            let index = self.boxes.count
            self.boxes.append(Box(kind: kind, range: at..<at + size, payload: payload, parent: parent))
            if let skipped = Self.containers[kind], skipped <= payload.count {
                self.boxes[index].isContainer = true
                self.parse(payload.dropFirst(skipped), in: index)
            }
            at += size
        }
    }

    /// Reads locations of 32 bits or less, as encoders write them, and ignores others.
    private mutating func readItems(_ payload: Range<Int>) {
        var at = payload.lowerBound
        func field(_ byteCount: Int) -> Range<Int>? {
            guard at + byteCount <= payload.upperBound else { return nil }
            at += byteCount
            return at - byteCount..<at
        }
        guard let version = field(1).map(self.number), version < 2, field(3) != nil,
            let sizes = field(2).map(self.number), let count = field(2).map(self.number)
        else { return }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        guard max(offsetSize, lengthSize, baseSize) <= 4 else { return }
        for _ in 0..<count {
            guard let item = field(2).map(self.number), let method = field(version == 0 ? 0 : 2).map(self.number),
                field(2) != nil, let base = field(baseSize), let extentCount = field(2).map(self.number)
            else { return }
            for _ in 0..<extentCount {
                guard field(version == 0 ? 0 : sizes & 15) != nil, let offset = field(offsetSize),
                    let length = field(lengthSize)
                else { return }
                // If either the base or the offset is present, that field is updated.
                let whole = offset.isEmpty ? base : offset
                guard method == 0, offset.isEmpty || self.number(base) == 0 else { continue }
                self.places.append(
                    Place(
                        item: item, offsetField: whole, lengthField: length, offset: self.number(whole),
                        length: self.number(length)))
            }
        }
    }

    /// Reads the chunks of a track; their lengths are stored elsewhere.
    private mutating func readChunks(_ payload: Range<Int>) {
        for at in stride(from: payload.lowerBound + 8, to: payload.upperBound - 3, by: 4) {
            self.places.append(
                Place(
                    item: 0, offsetField: at..<at + 4, lengthField: at..<at, offset: self.number(at..<at + 4), length: 0
                ))
        }
    }
}
