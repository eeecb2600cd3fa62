/// Enlarges subsampled chroma to the size of luma before it is cropped to the shown part.
final class HEIFChromaEnlarger {
    private let part: (left: Int, width: Int)
    /// The columns of half-width chroma that the part depends on.
    private let columns: Range<Int>
    /// Two rows of chroma.
    private let scratch: ScratchMemory<UInt8>

    init(_ file: HEIFLayout) {
        let (left, width) = (file.part.left, file.part.width)
        self.part = (left, width)
        let first = max(0, (left + 1) / 2 - 1)
        self.columns = first..<min((left + width) / 2 + 1, (file.cells.width + 1) / 2)
        self.scratch = ScratchMemory(count: 2 * self.columns.count)
    }

    /// Reads a row of chroma at full size: the nearest sample counts three times as much as its neighbour on the
    /// pixel's side.
    ///
    /// - Parameter y: In rows of luma.
    func read(
        _ y: Int, of plane: Int, in colours: HEIFRows, as table: HEIFSampleTable,
        into target: UnsafeMutablePointer<UInt8>
    ) throws(CodecError) {
        let half = colours.half(of: plane)
        let (left, width) = self.part
        guard half.across == 2 else {
            return try colours.read(y, of: plane, from: left, count: width, as: table, into: target)
        }
        let (first, count) = (self.columns.lowerBound, self.columns.count)
        let near = self.scratch.start
        try colours.read(y / half.down, of: plane, from: first, count: count, as: table, into: near)
        if half.down == 2 {
            let far = near + count
            // At the edge of a row of cells, only the nearest row counts.
            let rows = colours.rows(of: plane)
            let other = min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, rows.lowerBound), rows.upperBound - 1)
            try colours.read(other, of: plane, from: first, count: count, as: table, into: far)
            for x in 0..<count { near[x] = Self.mean(near[x], far[x]) }
        }
        for x in left..<left + width {
            let other = min(max(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1, first), first + count - 1)
            target[x - left] = Self.mean(near[x / 2 - first], near[other - first])
        }
    }

    @inline(__always)
    private static func mean(_ near: UInt8, _ far: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (3 &* UInt16(near) &+ UInt16(far) &+ 2) &>> 2)
    }
}
