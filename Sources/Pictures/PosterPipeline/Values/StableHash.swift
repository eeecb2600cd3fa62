/// A 64-bit hash that is equal in every process and on every machine, unlike `Hasher`'s: the rounds of MurmurHash64A
/// (Appleby, 2008), with eight-byte words. It is fast and detects accidental changes only: collisions can be
/// constructed.
struct StableHash {
    private static let multiplier: UInt64 = 0xC6A4_A793_5BD1_E995
    private var state: UInt64 = 0

    mutating func combine(_ word: UInt64) {
        var word = word &* Self.multiplier
        word = (word ^ word >> 47) &* Self.multiplier
        self.state = (self.state ^ word) &* Self.multiplier
    }

    /// Adds the UTF-8 bytes of a text and their number.
    mutating func combine(_ text: String) {
        // Copies the reference, or the few bytes of a short text.
        var text = text
        text.withUTF8 { bytes in
            self.combine(UInt64(bytes.count))
            let bytes = UnsafeRawBufferPointer(bytes)
            var offset = 0
            while offset + 8 <= bytes.count {
                self.combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            guard offset < bytes.count else { return }
            self.combine(bytes[offset...].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        }
    }

    var value: UInt64 {
        let mixed = (self.state ^ self.state >> 47) &* Self.multiplier
        return mixed ^ mixed >> 47
    }
}
