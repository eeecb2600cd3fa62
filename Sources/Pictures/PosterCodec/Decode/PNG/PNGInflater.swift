/// Inflates the picture's data of a PNG, which is one zlib stream in consecutive IDAT chunks (third edition, 10.1).
struct PNGInflater: ~Copyable {
    /// The bytes of the stream between two checks of the watch, because input takes time even without output.
    private static let pieceBytes = 1 << 16

    private var inflater = Inflater()
    private var chunks: PNGChunks
    /// The unread rest of the current chunk.
    private var payload = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The chunk after the data, once it was read.
    private var nextChunk: PNGChunk?

    init(_ preamble: borrowing PNGPreamble) {
        self.chunks = preamble.chunks
    }

    /// Inflates the next `count` bytes to `target`; checks the watch between pieces of work.
    mutating func read(
        _ count: Int, to target: UnsafeMutablePointer<UInt8>, watch: RenderWatch
    ) throws(CodecError) {
        var done = self.inflater.take(count, to: target)
        while done < count {
            guard self.inflater.status != .corrupt else { throw Self.corrupt }
            guard try self.inflateMore(watch: watch) else { throw .damaged(reason: "too little data in the PNG") }
            done += self.inflater.take(count - done, to: target + done)
        }
        // An error right after the bytes counts, when it was already found.
        if self.inflater.status == .corrupt, self.inflater.unreadCount == 0 { throw Self.corrupt }
    }

    private static let corrupt = CodecError.damaged(reason: "the PNG's data cannot be decompressed")

    /// Reads to the stream's end, for its checksum, and discards surplus output.
    ///
    /// - Returns: The chunk after the data, if it was read, and the chunks after that.
    mutating func finish(watch: RenderWatch) throws(CodecError) -> (next: PNGChunk?, rest: PNGChunks) {
        // Invalid data after the picture is tolerated.
        while self.inflater.status != .ended, self.inflater.status != .corrupt {
            self.inflater.skip()
            guard try self.inflateMore(watch: watch) else { throw .damaged(reason: "the PNG's data has no end") }
        }
        return (self.nextChunk, self.chunks)
    }

    /// Inflates until the window is full or a piece of the input is used up; false at the end of the stream.
    private mutating func inflateMore(watch: RenderWatch) throws(CodecError) -> Bool {
        guard try self.hasMore() else { return false }
        try watch.check()
        let count = min(self.payload.count, Self.pieceBytes)
        var piece = UnsafeBufferPointer(rebasing: self.payload[..<count])
        self.inflater.run(&piece)
        self.payload = UnsafeBufferPointer(rebasing: self.payload[(count - piece.count)...])
        if self.inflater.status == .wrongChecksum { throw .damaged(reason: "a wrong checksum in the PNG's data") }
        return true
    }

    /// Whether there is more of the stream; proceeds to the next chunk when needed.
    private mutating func hasMore() throws(CodecError) -> Bool {
        while self.inflater.status == .needsInput, self.payload.isEmpty {
            guard self.nextChunk == nil else { return false }
            // Another chunk must follow, at least the end.
            guard let chunk = try self.chunks.next(), self.chunks.isComplete(chunk) else { throw .truncated }
            guard chunk.type == .data else {
                self.nextChunk = chunk
                return false
            }
            self.payload = self.chunks.payload(of: chunk).bindMemory(to: UInt8.self)
        }
        return self.inflater.status == .needsInput || self.inflater.status == .isFull
    }
}
