import Glibc

/// Steps over the segments of a JPEG with the tolerance of ``JPEGWalker``, and tells where each begins.
struct JPEGHop {
    struct Segment {
        /// The marker's second byte.
        var marker: UInt8
        /// Where the marker's first byte is.
        var start: Int
        /// What follows the length field.
        var payload: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    /// Where the next step begins.
    private(set) var offset = 2  // after SOI

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// - Returns: Nil where the file ends before the next segment does, or a length is impossible.
    mutating func next() -> Segment? {
        var at = self.offset
        while at < self.bytes.count, self.bytes[at] != 0xFF { at += 1 }
        while at < self.bytes.count, self.bytes[at] == 0xFF { at += 1 }
        guard at < self.bytes.count else { return nil }
        let marker = self.bytes[at]
        let start = at - 1
        at += 1
        switch marker {
        case 0x00, 0x01, 0xD0...0xD9:  // no length field
            self.offset = at
            return Segment(marker: marker, start: start, payload: at..<at)
        default: break
        }
        guard at + 2 <= self.bytes.count else { return nil }
        let length = Int(self.bytes[at]) << 8 | Int(self.bytes[at + 1])
        guard length >= 2, at + length <= self.bytes.count else { return nil }
        self.offset = at + length
        return Segment(marker: marker, start: start, payload: at + 2..<at + length)
    }

    /// Goes to the first marker after a scan's data.
    ///
    /// - Returns: False where the file ends before.
    mutating func skipData() -> Bool {
        guard let base = self.bytes.baseAddress else { return false }
        var at = self.offset
        while at < self.bytes.count, let found = memchr(base + at, 0xFF, self.bytes.count - at) {
            let position = base.distance(to: UnsafeRawPointer(found))
            guard position + 1 < self.bytes.count else { return false }
            switch self.bytes[position + 1] {
            case 0x00, 0xD0...0xD7: at = position + 2  // a stuffed zero or a restart marker
            case 0xFF: at = position + 1
            default:
                self.offset = position
                return true
            }
        }
        return false
    }
}
