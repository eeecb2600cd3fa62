/// The checksum at the end of a zlib stream (RFC 1950, 8.2).
struct Adler32 {
    private static let modulus: UInt32 = 65521
    /// Maximum number of bytes summed before the modulus is applied: zlib's NMAX, in whole blocks.
    private static let runBytes = 5552 / Adler32Lanes.blockBytes * Adler32Lanes.blockBytes

    /// 1 plus the sum of all bytes.
    private var low: UInt32 = 1
    /// The sum of the values that `low` had after each byte.
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

/// Sums bytes in 16 columns with vector instructions.
struct Adler32Lanes {
    /// The bytes of a block: 16 rows, so that no 16-bit column overflows (16 · 17 / 2 · 255).
    static let blockBytes = 256

    private var evenSums = SIMD8<UInt32>.zero
    private var oddSums = SIMD8<UInt32>.zero
    /// Per column, the sum of the values after each row.
    private var evenTotals = SIMD8<UInt32>.zero
    private var oddTotals = SIMD8<UInt32>.zero

    /// - Parameter count: Whole blocks, 5552 bytes at most.
    @inline(__always) mutating func add(_ bytes: UnsafePointer<UInt8>, count: Int) {
        let raw = UnsafeRawPointer(bytes)
        var offset = 0
        while offset < count {
            var (even, odd) = (SIMD8<UInt16>.zero, SIMD8<UInt16>.zero)
            var (evenTotal, oddTotal) = (SIMD8<UInt16>.zero, SIMD8<UInt16>.zero)
            for _ in 0..<16 {
                let pairs = raw.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt16>.self)
                even &+= pairs & 0xFF
                odd &+= pairs &>> 8
                evenTotal &+= even
                oddTotal &+= odd
                offset &+= 16
            }
            self.evenTotals &+= self.evenSums &<< 4 &+ SIMD8(truncatingIfNeeded: evenTotal)
            self.oddTotals &+= self.oddSums &<< 4 &+ SIMD8(truncatingIfNeeded: oddTotal)
            self.evenSums &+= SIMD8(truncatingIfNeeded: even)
            self.oddSums &+= SIMD8(truncatingIfNeeded: odd)
        }
    }

    var sum: UInt32 { self.evenSums.wrappedSum() &+ self.oddSums.wrappedSum() }

    /// The sum of all bytes, weighted: the last by 1, the one before it by 2 and so on.
    var weighted: UInt32 {
        let columns = SIMD8<UInt32>(0, 2, 4, 6, 8, 10, 12, 14)
        let before = (self.evenSums &* columns).wrappedSum() &+ (self.oddSums &* (columns &+ 1)).wrappedSum()
        return 16 &* (self.evenTotals &+ self.oddTotals).wrappedSum() &- before
    }
}
