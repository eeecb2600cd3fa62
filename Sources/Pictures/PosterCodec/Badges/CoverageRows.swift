/// Memory for the coverage of one row of samples.
struct CoverageRows: ~Copyable {
    private let upper, lower: ScratchMemory<UInt8>
    private let means: ScratchMemory<UInt8>

    init(width: Int) {
        // Whole pairs of pixels.
        self.upper = ScratchMemory(count: width + 2)
        self.lower = ScratchMemory(count: width + 2)
        self.means = ScratchMemory(count: width)
    }

    /// The coverage that was read last.
    var mean: UnsafePointer<UInt8> { UnsafePointer(self.means.start) }

    /// Reads the coverage of a row.
    /// - Returns: The covered columns.
    func read(_ piece: PictureOverlay.Piece, _ y: Int) -> Range<Int> {
        piece.writeCoverage(of: y, into: self.means.start)
        return piece.columns
    }

    /// Reads the coverage of a row of samples for 2×2 pixels; at the picture's edge its last pixels count twice.
    /// - Returns: The covered columns of samples.
    func readHalved(_ piece: PictureOverlay.Piece, _ y: Int, of size: OutputSize) -> Range<Int> {
        let columns = piece.columns.lowerBound / 2..<(piece.columns.upperBound + 1) / 2
        Self.readPairs(piece, 2 * y, columns, width: size.width, into: self.upper.start)
        Self.readPairs(piece, min(2 * y + 1, size.height - 1), columns, width: size.width, into: self.lower.start)
        let (above, below, means) = (self.upper.start, self.lower.start, self.means.start)
        for x in 0..<columns.count {
            let sum =
                UInt16(above[2 &* x]) &+ UInt16(above[2 &* x &+ 1]) &+ UInt16(below[2 &* x])
                &+ UInt16(below[2 &* x &+ 1])
            means[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
        }
        return columns
    }

    private static func readPairs(
        _ piece: PictureOverlay.Piece, _ y: Int, _ pairs: Range<Int>, width: Int,
        into row: UnsafeMutablePointer<UInt8>
    ) {
        let count = 2 * pairs.count
        guard piece.rows.contains(y) else { return row.update(repeating: 0, count: count) }
        let left = piece.columns.lowerBound - 2 * pairs.lowerBound
        if left > 0 { row[0] = 0 }
        piece.writeCoverage(of: y, into: row + left)
        guard left + piece.columns.count < count else { return }
        row[count - 1] = piece.columns.upperBound == width ? row[count - 2] : 0
    }
}
