import CPosterCodecs

/// The rows of a PNG that is not interlaced, inflated some at a time and unfiltered (third edition, 9).
struct PNGScanlines: ~Copyable {
    /// Of rows that are inflated at once, in bytes: small enough for a core's cache.
    private static let chunkBytes = 1 << 16

    private let rowBytes: Int
    /// Bytes from a pixel to the next, at least 1.
    private let step: Int
    private let rowsPerChunk: Int
    /// The last row of the previous chunk, then a chunk's rows, each after its filter.
    private let memory: UnsafeMutablePointer<UInt8>
    private var rowsInChunk = 0
    /// Of them.
    private var rowsDelivered = 0
    private var rowsLeft: Int
    private var inflater: PNGInflater

    init(_ preamble: borrowing PNGPreamble) throws(CodecError) {
        let frame = preamble.frame
        let bitsPerPixel = frame.bitDepth * frame.colourType.samplesPerPixel
        self.inflater = try PNGInflater(preamble)
        self.rowBytes = (frame.width * bitsPerPixel + 7) / 8
        self.step = max(1, bitsPerPixel / 8)
        self.rowsLeft = frame.height
        self.rowsPerChunk = min(frame.height, max(1, Self.chunkBytes / (1 + self.rowBytes)))
        let count = (1 + self.rowsPerChunk) * (1 + self.rowBytes)
        self.memory = .allocate(capacity: count)
        // There are zeros above the first row.
        self.memory.initialize(repeating: 0, count: count)
    }

    deinit {
        self.memory.deallocate()
    }

    /// Bytes of rows that are held.
    var byteCount: Int { (1 + self.rowsPerChunk) * (1 + self.rowBytes) }

    /// The next row, which is there until the following call.
    mutating func nextRow() throws(CodecError) -> UnsafePointer<UInt8> {
        if self.rowsDelivered == self.rowsInChunk { try self.readChunk() }
        let above = self.memory + self.rowsDelivered * (1 + self.rowBytes) + 1
        self.rowsDelivered += 1
        let row = self.memory + self.rowsDelivered * (1 + self.rowBytes) + 1
        guard poster_png_unfilter(UInt32(row[-1]), row, above, self.rowBytes, self.step) != 0 else {
            throw .damaged(reason: "a PNG filter that does not exist")
        }
        return UnsafePointer(row)
    }

    /// See ``PNGInflater/finish(watch:)``.
    mutating func finish(watch: RenderWatch) throws(CodecError) -> (next: PNGChunk?, rest: PNGChunks) {
        try self.inflater.finish(watch: watch)
    }

    private mutating func readChunk() throws(CodecError) {
        precondition(self.rowsLeft > 0, "more rows are asked for than there are")
        let stride = 1 + self.rowBytes
        self.memory.update(from: self.memory + self.rowsInChunk * stride, count: stride)
        self.rowsInChunk = min(self.rowsPerChunk, self.rowsLeft)
        self.rowsDelivered = 0
        self.rowsLeft -= self.rowsInChunk
        try self.inflater.read(self.rowsInChunk * stride, to: self.memory + stride)
    }
}

extension PNGFrame.ColourType {
    /// As they are in the file.
    var samplesPerPixel: Int {
        switch self {
        case .gray, .palette: 1
        case .grayAlpha: 2
        case .rgb: 3
        case .rgbAlpha: 4
        }
    }
}
