/// The coded pictures in the data of a HEIF's items, which determine a decoder's memory.
struct HEIFPictures {
    /// Maximum number of pictures that the decoder of one item holds at once.
    private(set) var heldCount = 1
    /// Maximum number of tiles per picture of AV1, of slice segments per picture of HEVC.
    private(set) var tileCount = 1

    /// - Parameter bytes: The whole file.
    init(_ layout: HEIFLayout, in bytes: UnsafeRawBufferPointer, limits: CodecLimits) throws(CodecError) {
        // Overlapping parts would make more work than the file has bytes.
        let joined = layout.extents.lazy.filter { $0.count > 1 }.joined().reduce(0) { $0 + $1.count }
        guard joined <= bytes.count else { throw .damaged(reason: "a HEIF with items whose parts overlap") }
        try self.note(layout.cells, in: bytes, limits: limits)
        if let alpha = layout.alpha { try self.note(alpha, in: bytes, limits: limits) }
    }

    private mutating func note(
        _ cells: HEIFCells, in bytes: UnsafeRawBufferPointer, limits: CodecLimits
    ) throws(CodecError) {
        for extents in cells.extents {
            if case .hevc(let configuration) = cells.configuration {
                let slices = try Self.withData(extents, in: bytes) { (data) throws(CodecError) in
                    try HEVCSlices(data, configuration, limits: limits)
                }
                self.tileCount = max(self.tileCount, slices.ranges.count)
                continue
            }
            let units = try Self.withData(extents, in: bytes) { (data) throws(CodecError) in
                try AV1Units(data, limits: limits)
            }
            let sequence = units.sequence
            guard .av1(sequence.configuration) == cells.configuration,
                (sequence.width, sequence.height) == (cells.cellWidth, cells.cellHeight)
            else { throw .damaged(reason: "a HEIF whose items contradict their configuration") }
            // A picture may be enlarged after decoding, and then get film grain.
            let finishing = (sequence.isEnlarged ? 1 : 0) + (sequence.hasGrain ? 1 : 0)
            // libavif itself enlarges a picture below the maximum size.
            self.tileCount = max(self.tileCount, units.tileCount)
            self.heldCount = max(self.heldCount, units.pictureCount + finishing + (sequence.isReduced ? 0 : 1))
        }
    }

    /// Calls `body` with an item's data, which is joined if it is in several parts.
    static func withData<Result: ~Copyable>(
        _ extents: [Range<Int>], in bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        guard extents.allSatisfy({ $0.upperBound <= bytes.count }) else { throw .truncated }
        if extents.count == 1 { return try body(UnsafeRawBufferPointer(rebasing: bytes[extents[0]])) }
        var joined: [UInt8] = []
        joined.reserveCapacity(extents.reduce(0) { $0 + $1.count })
        for extent in extents { joined += bytes[extent] }
        return try joined.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in try body(buffer) }
    }
}

extension HEIFCoding {
    /// Sets the properties that require the whole file.
    mutating func note(_ pictures: HEIFPictures) {
        self.heldPictures = pictures.heldCount
        self.tileCount = pictures.tileCount
    }
}

extension HEIFCoding.Cells {
    init(_ cells: HEIFCells) {
        let samples = cells.samples
        var (width, height) = (cells.cellWidth, cells.cellHeight)
        if case .hevc(let hevc) = cells.configuration {
            (width, height) = (hevc.sequence.codedWidth, hevc.sequence.codedHeight)
        }
        self.init(
            width: width, height: height, columns: cells.columns, rows: cells.rows,
            bitDepth: samples.bitDepth,
            chromaShare: samples.isMonochrome
                ? 0 : 4 / (samples.halvesAcross ? 2 : 1) / (samples.halvesDown ? 2 : 1))
    }
}
