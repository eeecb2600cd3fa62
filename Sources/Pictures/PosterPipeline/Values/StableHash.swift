/// A 64-bit hash that is the same in every process and on every machine, unlike `Hasher`'s: MurmurHash64A's rounds (Appleby,
/// 2008), a word of eight bytes each. It is quick, and protects from accidents only: equal hashes of unequal input can be made on
/// purpose.
struct StableHash {
    private static let multiplier: UInt64 = 0xC6A4_A793_5BD1_E995
    private var state: UInt64 = 0

    /// Adds a number.
    mutating func combine(_ word: UInt64) {
        var word = word &* Self.multiplier
        word = (word ^ word >> 47) &* Self.multiplier
        self.state = (self.state ^ word) &* Self.multiplier
    }

    /// Adds the bytes of a text and their number.
    mutating func combine(_ text: String) {
        // A copy of the reference, or of the few bytes of a short text.
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

    /// The hash of what was added.
    var value: UInt64 {
        let mixed = (self.state ^ self.state >> 47) &* Self.multiplier
        return mixed ^ mixed >> 47
    }
}
