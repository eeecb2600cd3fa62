/// How many codes there are of each length, and whether all of them fit (RFC 1951, 3.2.2).
struct InflateCodePlan {
    /// By length, 0...15.
    private(set) var counts = [16 of Int](repeating: 0)
    /// The length of the longest code in bits, 0 without codes.
    private(set) var longest = 0
    /// Codes of the longest length that remain unused; less than 0 when there are too many codes.
    private(set) var room = 1

    /// Symbols that do not occur.
    var unusedCount: Int { self.counts[0] }

    /// Sorts the symbols by the length of their codes, those that do not occur first.
    mutating func sort(_ lengths: UnsafePointer<UInt8>, count: Int, into sorted: UnsafeMutablePointer<UInt16>) {
        for symbol in 0..<count { self.counts[Int(lengths[symbol])] &+= 1 }
        var offsets = [16 of Int](repeating: 0)
        for length in 1..<16 {
            offsets[length] = offsets[length &- 1] &+ self.counts[length &- 1]
            if self.counts[length] > 0 { self.longest = length }
        }
        if self.longest > 0 {
            for length in 1...self.longest { self.room = 2 &* self.room &- self.counts[length] }
        }
        for symbol in 0..<count {
            let length = Int(lengths[symbol])
            sorted[offsets[length]] = UInt16(truncatingIfNeeded: symbol)
            offsets[length] &+= 1
        }
    }

    /// Bits of the subtable that begins at the code of `length` bits after which `left`, with itself, are as long.
    func subtableBits(length: Int, left: Int, rootBits: Int) -> Int {
        var bits = length &- rootBits
        var used = left
        while used < 1 &<< bits {
            bits &+= 1
            used = 2 &* used &+ self.counts[rootBits &+ bits]
        }
        return bits
    }
}
