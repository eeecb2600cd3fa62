/// Inflates the picture's data of a PNG, which is one zlib stream in consecutive IDAT chunks (third edition, 10.1).
struct PNGInflater: ~Copyable {
    /// Bytes of the stream between two checks of the watch, because input takes time even without output.
    ///
    /// In an arriving file, a piece is inflated once it is complete: the pieces equal the whole file's, so that errors
    /// are found at the same row.
    private static let pieceBytes = 1 << 16
    /// The size of the checksum after a chunk's payload.
    private static let checksumBytes = 4

    /// The availability of input.
    private enum Supply {
        case piece
        case end
        /// The next piece has not arrived.
        case missing
        /// The file ends here.
        case cut
    }

    private let file: UnsafeRawBufferPointer
    private let arriving: ArrivingBytes?
    private var inflater: Inflater
    private var chunks: PNGChunks
    /// The unread rest of the current chunk, and the offset of its end in the file.
    private var payload = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var payloadEnd = 0
    /// The chunk after the data, if it has been read.
    private var nextChunk: PNGChunk?
    /// The number of bytes that a call of ``read(_:to:watch:)`` moved before it stopped for lack of input.
    private var movedCount = 0

    init(_ preamble: borrowing PNGPreamble, of input: DecoderInput) {
        self.file = input.bytes
        self.arriving = input.arriving
        self.chunks = preamble.chunks
        self.inflater = Inflater()
    }

    private init(copying other: borrowing PNGInflater) {
        (self.file, self.arriving, self.chunks) = (other.file, other.arriving, other.chunks)
        self.inflater = other.inflater.copy()
        (self.payload, self.payloadEnd) = (other.payload, other.payloadEnd)
        (self.nextChunk, self.movedCount) = (other.nextChunk, other.movedCount)
    }

    /// Another inflater that continues at the same byte.
    borrowing func copy() -> PNGInflater { PNGInflater(copying: self) }

    /// Inflates the next `count` bytes to `target`; checks the watch between pieces of work.
    /// - Returns: `false` if they have not all arrived; call again with the same target then.
    /// - Throws: ``CodecError/truncated`` if the file ends before.
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
        // An error right after these bytes counts if it has been found already.
        if self.inflater.status == .corrupt, self.inflater.unreadCount == 0 { throw Self.corrupt }
        return true
    }

    /// Inflates the next `count` bytes of a complete file, and discards them.
    /// - Throws: ``CodecError/truncated`` if data is missing, ``CodecError/damaged(reason:)`` if it is invalid.
    mutating func skip(_ count: Int, watch: RenderWatch) throws(CodecError) {
        let target = ScratchMemory<UInt8>(count: min(count, Self.pieceBytes))
        var left = count
        while left > 0 {
            let part = min(left, Self.pieceBytes)
            guard try self.read(part, to: target.start, watch: watch) else { throw .truncated }
            left -= part
        }
    }

    private static let corrupt = CodecError.damaged(reason: "the PNG's data cannot be decompressed")

    /// Reads to the stream's end, to check its checksum, and discards surplus output. The file may end before.
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

    /// Whether there is another piece of the stream; advances to the next chunk if needed.
    private mutating func supply() throws(CodecError) -> Supply {
        while self.inflater.status == .needsInput, self.payload.isEmpty {
            guard self.nextChunk == nil else { return .end }
            let isArriving = self.noteArrivals()
            guard let chunk = try self.chunks.next() else { return isArriving ? .missing : .cut }
            guard chunk.type == .data else {
                self.nextChunk = chunk
                return .end
            }
            // The available part of a truncated chunk may be all that the picture needs.
            let payload = chunk.payload.clamped(to: 0..<self.file.count)
            self.payload = UnsafeRawBufferPointer(rebasing: self.file[payload]).bindMemory(to: UInt8.self)
            self.payloadEnd = payload.upperBound
        }
        guard self.inflater.status == .needsInput || self.inflater.status == .isFull else { return .end }
        return self.nextPiece()
    }

    /// Whether the next piece has arrived; the last piece of a chunk requires the whole chunk. If the file ended early,
    /// the last piece is the arrived rest.
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

    /// Makes the arrived chunks readable.
    /// - Returns: Whether more bytes will arrive.
    @discardableResult
    private mutating func noteArrivals() -> Bool {
        guard let extent = self.arriving?.extent else { return false }
        self.chunks.extend(to: UnsafeRawBufferPointer(rebasing: self.file[..<extent.count]))
        return !extent.isComplete
    }
}

extension PNGInflater {
    /// Verifies that a file without an end has the data of all rows.
    ///
    /// - Throws: The errors of ``skip(_:watch:)``.
    static func checkRows(of bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) {
        let preamble = try PNGPreamble(bytes)
        var inflater = PNGInflater(preamble, of: DecoderInput(bytes, arriving: nil))
        try inflater.skip(preamble.frame.dataLength, watch: watch)
    }
}
