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

/// Adds up bytes in 16 columns: the work of ``Adler32`` that is worth doing eight at a time.
struct Adler32Lanes {
    /// Bytes of a block: 16 rows, so that no column of 16 bits overflows (16 · 17 / 2 · 255).
    static let blockBytes = 256

    private var evenSums = SIMD8<UInt32>.zero
    private var oddSums = SIMD8<UInt32>.zero
    /// The sums of a column that there were after each row.
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

    /// All bytes.
    var sum: UInt32 { self.evenSums.wrappedSum() &+ self.oddSums.wrappedSum() }

    /// All bytes, the last once, the one before it twice and so on.
    var weighted: UInt32 {
        let columns = SIMD8<UInt32>(0, 2, 4, 6, 8, 10, 12, 14)
        let before = (self.evenSums &* columns).wrappedSum() &+ (self.oddSums &* (columns &+ 1)).wrappedSum()
        return 16 &* (self.evenTotals &+ self.oddTotals).wrappedSum() &- before
    }
}
