import Glibc

/// Iterates over the segments of a JPEG (ITU-T T.81, annex B) without decoding anything.
///
/// Stray bytes before a marker are tolerated, as by every decoder, and so are fill bytes (0xFF) within it.
struct JPEGSegments {
    struct Segment {
        /// The marker's second byte.
        let marker: UInt8
        /// The offset of the marker's first byte.
        let start: Int
        /// The content after the length field.
        let payload: Range<Int>
    }

    enum Step {
        case segment(Segment)
        case endOfImage
        case needsMoreBytes(atLeast: Int)
    }

    let bytes: UnsafeRawBufferPointer
    /// The offset at which the next marker is searched.
    private(set) var offset: Int

    /// - Parameter offset: The offset to start from; 2 is the first byte after SOI.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 2) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next segment, if all of it has arrived.
    mutating func next() throws(CodecError) -> Step {
        var at = self.offset
        while at < self.bytes.count, self.bytes[at] != 0xFF { at += 1 }
        while at < self.bytes.count, self.bytes[at] == 0xFF { at += 1 }
        // One byte of the marker is enough to resume at; neither stray nor fill bytes are read again.
        self.offset = max(self.offset, at - 1)
        guard at < self.bytes.count else { return .needsMoreBytes(atLeast: self.bytes.count + 1) }
        let (marker, start) = (self.bytes[at], at - 1)
        at += 1
        switch marker {
        case 0xD9:
            self.offset = at
            return .endOfImage
        case 0x00, 0x01, 0xD0...0xD8:  // no length field; SOI again is tolerated
            self.offset = at
            return .segment(Segment(marker: marker, start: start, payload: at..<at))
        default: break
        }
        guard at + 2 <= self.bytes.count else { return .needsMoreBytes(atLeast: at + 2) }
        let length = self.bytes.bigEndian(at: at, byteCount: 2)
        guard length >= 2 else { throw .damaged(reason: "a JPEG segment of impossible length") }
        guard at + length <= self.bytes.count else { return .needsMoreBytes(atLeast: at + length) }
        self.offset = at + length
        return .segment(Segment(marker: marker, start: start, payload: at + 2..<at + length))
    }

    /// Advances to the first marker after entropy-coded data, which includes stuffed zeros and restart markers.
    ///
    /// - Returns: `false` if the file ends before.
    mutating func skipEntropyCodedData() -> Bool {
        guard let base = self.bytes.baseAddress else { return false }
        var at = self.offset
        while at < self.bytes.count, let found = memchr(base + at, 0xFF, self.bytes.count - at) {
            let position = base.distance(to: UnsafeRawPointer(found))
            guard position + 1 < self.bytes.count else { return false }
            switch self.bytes[position + 1] {
            case 0x00, 0xD0...0xD7: at = position + 2
            case 0xFF: at = position + 1
            default:
                self.offset = position
                return true
            }
        }
        return false
    }

    func payload(of segment: Segment) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.bytes[segment.payload])
    }
}

/// A JPEG's frame header (ITU-T T.81, B.2.2).
struct JPEGFrame {
    let width, height: Int
    /// The bits of a sample; always 8.
    let precision: Int
    let isProgressive: Bool
    let components: [Component]

    struct Component: Hashable {
        let id: UInt8
        let sampling: ImageHeader.SamplingFactors
        /// The index of its quantisation table.
        let quantiser: Int
    }

    /// - Throws: ``CodecError/unsupported(_:)`` for processes that the installed libjpeg-turbo does not decode.
    init(marker: UInt8, payload: UnsafeRawBufferPointer) throws(CodecError) {
        switch marker {
        case 0xC0, 0xC1, 0xC9: self.isProgressive = false
        case 0xC2, 0xCA: self.isProgressive = true
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard payload.count >= 6 else { throw .damaged(reason: "a JPEG frame header that is too short") }
        self.precision = Int(payload[0])
        self.height = payload.bigEndian(at: 1, byteCount: 2)
        self.width = payload.bigEndian(at: 3, byteCount: 2)
        let count = Int(payload[5])
        guard payload.count >= 6 + 3 * count, count >= 1 else {
            throw .damaged(reason: "a JPEG frame header that is too short")
        }
        guard self.width > 0 else { throw .damaged(reason: "a JPEG with a width of 0") }
        guard self.height > 0 else { throw .unsupported("JPEG with its height after the picture (DNL)") }
        guard self.precision == 8 else { throw .unsupported("\(self.precision)-bit JPEG") }
        guard count == 1 || count == 3 || count == 4 else { throw .unsupported("JPEG of \(count) components") }
        var components: [Component] = []
        for start in stride(from: 6, to: 6 + 3 * count, by: 3) {
            let (horizontal, vertical) = (Int(payload[start + 1] >> 4), Int(payload[start + 1] & 15))
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw .damaged(reason: "a JPEG sampling factor of \(horizontal)×\(vertical)")
            }
            components.append(
                Component(
                    id: payload[start], sampling: .init(horizontal: horizontal, vertical: vertical),
                    quantiser: Int(payload[start + 2])))
        }
        self.components = components
    }

    /// The number of a component's blocks of 8×8 samples.
    func blockCount(of component: Component) -> Int {
        let most = ImageHeader.SamplingFactors.largest(of: self.components.lazy.map(\.sampling))
        let across = (self.width * component.sampling.horizontal + 8 * most.horizontal - 1) / (8 * most.horizontal)
        let down = (self.height * component.sampling.vertical + 8 * most.vertical - 1) / (8 * most.vertical)
        return across * down
    }
}
