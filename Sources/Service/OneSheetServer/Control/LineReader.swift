import NIOCore

/// Takes lines from a connection.
struct LineReader {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var buffer = ByteBuffer()
    /// Of one line, in bytes.
    private let limit: Int

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, limit: Int) {
        self.iterator = inbound.makeAsyncIterator()
        self.limit = limit
    }

    /// The next line without its end; nil at the end of the connection, which may have cut a line.
    ///
    /// - Throws: ``ControlFailure/tooLong(limit:)`` once the line is over: who still sends does not hear an answer.
    ///   `CancellationError`, and what the connection throws.
    mutating func next() async throws -> ByteBuffer? {
        var searched = 0
        var isTooLong = false
        while true {
            let unsearched = self.buffer.readableBytesView.dropFirst(searched)
            if let end = unsearched.firstIndex(of: 0x0A) {
                let line = self.buffer.readSlice(length: end - self.buffer.readerIndex)
                self.buffer.moveReaderIndex(forwardBy: 1)
                self.buffer.discardReadBytes()
                guard !isTooLong, line?.readableBytes ?? 0 <= self.limit else {
                    throw ControlFailure.tooLong(limit: self.limit)
                }
                return line
            }
            searched = self.buffer.readableBytes
            if searched > self.limit {
                isTooLong = true
                self.buffer.clear()
                searched = 0
            }
            guard var more = try await self.iterator.next() else { return nil }
            self.buffer.writeBuffer(&more)
        }
    }

    /// Waits for the end of the connection, whatever comes until then.
    mutating func untilEnd() async throws {
        while try await self.iterator.next() != nil {}
    }
}
