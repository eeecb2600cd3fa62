/// One scan of a JPEG: what its header says, and where it lies in the file.
struct JPEGScan: Hashable, Sendable {
    /// Which components it has, by their place in the frame header.
    var components: [Int]
    /// Zigzag positions of its coefficients, 0...63 (Ss...Se).
    var band: ClosedRange<Int>
    /// The bit down to which earlier scans brought these coefficients (Ah), 0...15; 0 when there was no earlier one.
    var highBit: Int
    /// The bit down to which this scan brings them (Al), 0...15.
    var lowBit: Int
    /// From the first byte of its marker to the end of its entropy-coded data, in the file.
    var bytes: Range<Int>
    /// How many of these are entropy-coded data.
    var dataCount: Int
    /// The code of its coefficients; nil for DC, for refinements and for arithmetic coding.
    var code: JPEGRunCode?

    /// Whether it only adds a bit to coefficients that earlier scans began.
    var isRefinement: Bool { self.highBit > 0 }
    /// Whether it has the blocks' means, without which there is no picture.
    var hasDC: Bool { self.band.lowerBound == 0 }
    /// Its positions as bits.
    var bandMask: UInt64 { ~0 << UInt64(self.band.lowerBound) & ~0 >> UInt64(63 - self.band.upperBound) }
}
