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
    /// - Throws: ``ControlFailure/tooLong(limit:)``, `CancellationError`, and what the connection throws.
    mutating func next() async throws -> ByteBuffer? {
        var searched = 0
        while true {
            let unsearched = self.buffer.readableBytesView.dropFirst(searched)
            if let end = unsearched.firstIndex(of: 0x0A) {
                let line = self.buffer.readSlice(length: end - self.buffer.readerIndex)
                self.buffer.moveReaderIndex(forwardBy: 1)
                self.buffer.discardReadBytes()
                return line
            }
            searched = self.buffer.readableBytes
            guard searched <= self.limit else { throw ControlFailure.tooLong(limit: self.limit) }
            guard var more = try await self.iterator.next() else { return nil }
            self.buffer.writeBuffer(&more)
        }
    }

    /// Waits for the end of the connection, whatever comes until then.
    mutating func untilEnd() async throws {
        while try await self.iterator.next() != nil {}
    }
}
