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
        /// What follows the length field.
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

    /// - Parameters:
    ///   - bytes: A file that begins with SOI, or its beginning. Borrowed for this value's life.
    ///   - offset: Where to begin; 2 is the first byte after SOI.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 2) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next segment, once all of it is there.
    ///
    /// - Throws: ``CodecError/damaged(reason:)`` for a segment of impossible length.
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
        let length = Int(self.bytes[at]) << 8 | Int(self.bytes[at + 1])
        guard length >= 2 else { throw .damaged(reason: "a JPEG segment of impossible length") }
        guard at + length <= self.bytes.count else { return .needsMoreBytes(atLeast: at + length) }
        self.offset = at + length
        return .segment(Segment(marker: marker, start: start, payload: at + 2..<at + length))
    }

    /// Advances to the first marker after a scan's entropy-coded data, which stuffed zeros and restart markers belong
    /// to.
    ///
    /// - Returns: False when the file ends before.
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

    /// The payload's bytes.
    func payload(of segment: Segment) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.bytes[segment.payload])
    }
}
