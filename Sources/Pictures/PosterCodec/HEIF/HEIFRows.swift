/// The rows of a HEIF's colours or of its alpha. Decodes a row of cells when the first of its rows is read, and frees
/// the previous one.
struct HEIFRows {
    let cells: HEIFCells
    private let bytes: UnsafeRawBufferPointer
    private let watch: RenderWatch
    /// The decoded row of cells.
    private var pictures: [HEIFCellPicture] = []
    private var cellRow = -1

    init(_ cells: HEIFCells, in bytes: UnsafeRawBufferPointer, watch: RenderWatch) {
        self.cells = cells
        self.bytes = bytes
        self.watch = watch
    }

    /// Decodes the cells that contain a row of luma. Rows must ascend.
    mutating func load(_ y: Int) throws(CodecError) {
        let row = y / self.cells.cellHeight
        guard row != self.cellRow else { return }
        self.pictures = []
        self.cellRow = row
        for column in 0..<self.cells.columns {
            try self.watch.check()
            let index = row * self.cells.columns + column
            self.pictures.append(
                try HEIFCellPicture(self.cells, at: index, in: self.bytes, watch: self.watch))
        }
    }

    /// Whether the coded samples have full range; valid after ``load(_:)``.
    var isFullRange: Bool { self.pictures.first?.isFullRange ?? true }

    /// The decoded rows of a plane, counted from the picture's first row.
    func rows(of plane: Int) -> Range<Int> {
        let half = self.half(of: plane).down
        let start = self.cellRow * self.cells.cellHeight / half
        return start..<start + (self.cells.cellHeight + half - 1) / half
    }

    /// Reads a row of a plane, which must be among ``rows(of:)``, from column `left` on.
    ///
    /// - Parameters:
    ///   - plane: 0 luma, 1 blue chroma, 2 red chroma.
    ///   - left: In samples of the plane.
    func read(
        _ y: Int, of plane: Int, from left: Int, count: Int, as table: HEIFSampleTable,
        into target: UnsafeMutablePointer<UInt8>
    ) throws(CodecError) {
        let half = self.half(of: plane)
        let (width, height) = (
            (self.cells.cellWidth + half.across - 1) / half.across, (self.cells.cellHeight + half.down - 1) / half.down
        )
        var x = left
        while x < left + count {
            let column = x / width
            let end = min(left + count, (column + 1) * width)
            guard self.pictures.indices.contains(column), self.rows(of: plane).contains(y) else {
                throw .internalError(reason: "a row of a HEIF that was not decoded")
            }
            let row = self.pictures[column].row(y - self.cellRow * height, of: plane)
            let sampleSize = self.cells.samples.bitDepth > 8 ? 2 : 1
            table.convert(row + (x - column * width) * sampleSize, count: end - x, into: target + (x - left))
            x = end
        }
    }

    /// 2 along an axis on which the plane has half the size, else 1.
    func half(of plane: Int) -> (across: Int, down: Int) {
        guard plane > 0 else { return (1, 1) }
        let samples = self.cells.samples
        return (samples.halvesAcross ? 2 : 1, samples.halvesDown ? 2 : 1)
    }
}
