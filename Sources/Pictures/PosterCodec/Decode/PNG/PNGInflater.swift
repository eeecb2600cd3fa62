/// Inflates the picture's data of a PNG, which is one zlib stream in consecutive IDAT chunks (third edition, 10.1).
struct PNGInflater: ~Copyable {
    /// The bytes of the stream between two checks of the watch, because input takes time even without output.
    ///
    /// Of a file that is arriving, a piece is inflated when all of it is there: the pieces are those of the whole file, so
    /// that what is wrong in it is found at the same row.
    private static let pieceBytes = 1 << 16
    /// The checksum behind a chunk's payload.
    private static let checksumBytes = 4

    /// What there is to inflate.
    private enum Supply {
        case piece
        case end
        /// It has not arrived.
        case missing
        /// The file ends here.
        case cut
    }

    private let file: UnsafeRawBufferPointer
    private let arriving: ArrivingBytes?
    private var inflater = Inflater()
    private var chunks: PNGChunks
    /// The unread rest of the current chunk, and the offset in the file at which it ends.
    private var payload = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var payloadEnd = 0
    /// The chunk after the data, once it was read.
    private var nextChunk: PNGChunk?
    /// The bytes that a call of ``read(_:to:watch:)`` has moved before it ended for want of more.
    private var movedCount = 0

    init(_ preamble: borrowing PNGPreamble, of input: DecoderInput) {
        self.file = input.bytes
        self.arriving = input.arriving
        self.chunks = preamble.chunks
    }

    /// Inflates the next `count` bytes to `target`; checks the watch between pieces of work.
    /// - Returns: false when they have not all arrived: it is to be called again with the same target then.
    /// - Throws: ``CodecError/truncated`` when the file ends before.
    mutating func read(
        _ count: Int, to target: UnsafeMutablePointer<UInt8>, watch: RenderWatch
    ) throws(CodecError) -> Bool {
        var done = self.movedCount
        self.movedCount = 0
        done += self.inflater.take(count - done, to: target + done)
        while done < count {
            guard self.inflater.status != .corrupt else { throw Self.corrupt }
            switch try self.inflateMore(watch: watch) {
            case .piece: done += self.inflater.take(count - done, to: target + done)
            case .end: throw .damaged(reason: "too little data in the PNG")
            case .missing:
                self.movedCount = done
                return false
            case .cut: throw .truncated
            }
        }
        // An error right after the bytes counts, when it was already found.
        if self.inflater.status == .corrupt, self.inflater.unreadCount == 0 { throw Self.corrupt }
        return true
    }

    private static let corrupt = CodecError.damaged(reason: "the PNG's data cannot be decompressed")

    /// Reads to the stream's end, for its checksum, and discards surplus output. The file may end before.
    ///
    /// - Returns: The chunk after the data, if it was read, and the chunks after that.
    mutating func finish(watch: RenderWatch) throws(CodecError) -> (next: PNGChunk?, rest: PNGChunks) {
        // Invalid data after the picture is tolerated.
        while self.inflater.status != .ended, self.inflater.status != .corrupt {
            self.inflater.skip()
            switch try self.inflateMore(watch: watch) {
            case .piece: break
            case .end: throw .damaged(reason: "the PNG's data has no end")
            case .missing: throw .truncated
            case .cut: return (nil, self.chunks)
            }
        }
        self.noteArrivals()
        return (self.nextChunk, self.chunks)
    }

    /// Inflates until the window is full or a piece of the input is used up.
    private mutating func inflateMore(watch: RenderWatch) throws(CodecError) -> Supply {
        let supply = try self.supply()
        guard case .piece = supply else { return supply }
        try watch.check()
        let count = min(self.payload.count, Self.pieceBytes)
        var piece = UnsafeBufferPointer(rebasing: self.payload[..<count])
        self.inflater.run(&piece)
        self.payload = UnsafeBufferPointer(rebasing: self.payload[(count - piece.count)...])
        if self.inflater.status == .wrongChecksum { throw .damaged(reason: "a wrong checksum in the PNG's data") }
        return .piece
    }

    /// Whether there is another piece of the stream; proceeds to the next chunk when needed.
    private mutating func supply() throws(CodecError) -> Supply {
        while self.inflater.status == .needsInput, self.payload.isEmpty {
            guard self.nextChunk == nil else { return .end }
            let isArriving = self.noteArrivals()
            guard let chunk = try self.chunks.next() else { return isArriving ? .missing : .cut }
            guard chunk.type == .data else {
                self.nextChunk = chunk
                return .end
            }
            // What is there of a chunk that is cut off may be all that the picture needs.
            let payload = chunk.payload.clamped(to: 0..<self.file.count)
            self.payload = UnsafeRawBufferPointer(rebasing: self.file[payload]).bindMemory(to: UInt8.self)
            self.payloadEnd = payload.upperBound
        }
        guard self.inflater.status == .needsInput || self.inflater.status == .isFull else { return .end }
        return self.nextPiece()
    }

    /// Whether the next piece has arrived: with the last one of a chunk, all of the chunk. Of a file that ended early, the
    /// last piece is what has arrived.
    private mutating func nextPiece() -> Supply {
        guard let extent = self.arriving?.extent else { return .piece }
        let rest = self.payload.count - Self.pieceBytes
        let end = rest > 0 ? self.payloadEnd - rest : min(self.payloadEnd + Self.checksumBytes, self.file.count)
        guard end > extent.count else { return .piece }
        guard extent.isComplete else { return .missing }
        let surplus = self.payloadEnd - extent.count
        guard surplus > 0 else { return .piece }
        guard surplus < self.payload.count else { return .cut }
        self.payload = UnsafeBufferPointer(rebasing: self.payload.dropLast(surplus))
        self.payloadEnd = extent.count
        return .piece
    }

    /// Lets chunks be read as far as they have arrived.
    /// - Returns: Whether there are more to come.
    @discardableResult
    private mutating func noteArrivals() -> Bool {
        guard let extent = self.arriving?.extent else { return false }
        self.chunks.extend(to: UnsafeRawBufferPointer(rebasing: self.file[..<extent.count]))
        return !extent.isComplete
    }
}

extension PNGInflater {
    /// Verifies that a file whose end is missing has the data of all rows.
    ///
    /// - Throws: ``CodecError/truncated`` when it has not, ``CodecError/damaged(reason:)`` for invalid data.
    static func checkRows(of bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) {
        let preamble = try PNGPreamble(bytes)
        var inflater = PNGInflater(preamble, of: DecoderInput(bytes, arriving: nil))
        let target = ScratchMemory<UInt8>(count: Self.pieceBytes)
        var left = preamble.frame.dataLength
        while left > 0 {
            let count = min(left, Self.pieceBytes)
            guard try inflater.read(count, to: target.start, watch: watch) else { throw .truncated }
            left -= count
        }
    }
}
