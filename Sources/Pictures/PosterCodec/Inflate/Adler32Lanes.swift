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
