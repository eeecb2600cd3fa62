import CPosterCodecs

/// Inflates the picture's data of a PNG, which is one zlib stream in consecutive IDAT chunks (third edition, 10.1).
struct PNGInflater: ~Copyable {
    private let handle: OpaquePointer
    private var chunks: PNGChunks
    private var buffers = poster_inflater_buffers()
    private var hasEnded = false
    /// After the last step, so that there may be more output without more input.
    private var isOutputFull = false
    /// The chunk after the data, once it was seen.
    private var nextChunk: PNGChunk?

    /// - Parameter preamble: Borrows the file.
    init(_ preamble: borrowing PNGPreamble) throws(CodecError) {
        guard let handle = poster_inflater_create() else { throw .outOfMemory }
        self.handle = handle
        self.chunks = preamble.chunks
    }

    deinit {
        poster_inflater_destroy(self.handle)
    }

    /// Inflates the next `count` bytes to `target`.
    mutating func read(_ count: Int, to target: UnsafeMutablePointer<UInt8>) throws(CodecError) {
        self.buffers.output = target
        self.buffers.output_count = count
        while self.buffers.output_count > 0 {
            guard try self.canGoOn() else { throw .damaged(reason: "too little data in the PNG") }
            switch self.run() {
            case .running: break
            case .ended: self.hasEnded = true
            case .corrupt: throw .damaged(reason: "the PNG's data cannot be decompressed")
            case .wrongChecksum: throw Self.wrongChecksum
            case .outOfMemory: throw .outOfMemory
            }
        }
    }

    /// Reads the stream's end, for its checksum, and leaves out what it has too much.
    ///
    /// - Returns: The chunk after the data, if it was seen, and the chunks after that.
    mutating func finish(watch: RenderWatch) throws(CodecError) -> (next: PNGChunk?, rest: PNGChunks) {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 14) { (space) throws(CodecError) in
            while !self.hasEnded {
                self.buffers.output = space.baseAddress
                self.buffers.output_count = space.count
                guard try self.canGoOn() else { throw .damaged(reason: "the PNG's data has no end") }
                try watch.check()
                switch self.run() {
                case .running: break
                // What is broken there is nothing that the picture needs.
                case .ended, .corrupt: self.hasEnded = true
                case .wrongChecksum: throw Self.wrongChecksum
                case .outOfMemory: throw .outOfMemory
                }
            }
        }
        return (self.nextChunk, self.chunks)
    }

    private static let wrongChecksum = CodecError.damaged(reason: "a wrong checksum in the PNG's data")

    private mutating func run() -> poster_inflater_status {
        let status = poster_inflater_run(self.handle, &self.buffers)
        self.isOutputFull = self.buffers.output_count == 0
        return status
    }

    /// Whether there is more of the stream; goes on to the next chunk when needed.
    private mutating func canGoOn() throws(CodecError) -> Bool {
        while !self.hasEnded, !self.isOutputFull, self.buffers.input_count == 0 {
            guard self.nextChunk == nil else { return false }
            // The file must go on, if only with its end.
            guard let chunk = try self.chunks.next(), self.chunks.isComplete(chunk) else { throw .truncated }
            guard chunk.type == .data else {
                self.nextChunk = chunk
                return false
            }
            let payload = self.chunks.payload(of: chunk)
            self.buffers.input = payload.bindMemory(to: UInt8.self).baseAddress
            self.buffers.input_count = payload.count
        }
        return !self.hasEnded
    }
}
