/// The checksum at the end of a zlib stream (RFC 1950, 8.2).
struct Adler32 {
    private static let modulus: UInt32 = 65521
    /// As many bytes as can be added up before a remainder is due: zlib's NMAX, in whole blocks.
    private static let runBytes = 5552 / Adler32Lanes.blockBytes * Adler32Lanes.blockBytes

    /// 1 and all bytes.
    private var low: UInt32 = 1
    /// The sums that `low` had after each byte.
    private var high: UInt32 = 0

    var value: UInt32 { self.high << 16 | self.low }

    mutating func add(_ bytes: UnsafePointer<UInt8>, count: Int) {
        var next = bytes
        let end = bytes + count
        while end - next >= Adler32Lanes.blockBytes {
            let run = min(Self.runBytes, (end - next) / Adler32Lanes.blockBytes * Adler32Lanes.blockBytes)
            var lanes = Adler32Lanes()
            lanes.add(next, count: run)
            self.high = (self.high &+ UInt32(run) &* self.low &+ lanes.weighted) % Self.modulus
            self.low = (self.low &+ lanes.sum) % Self.modulus
            next += run
        }
        while next < end {
            self.low &+= UInt32(next.pointee)
            self.high &+= self.low
            next += 1
        }
        self.low %= Self.modulus
        self.high %= Self.modulus
    }
}
