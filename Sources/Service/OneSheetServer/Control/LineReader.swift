import NIOCore
import NIOExtras

/// Reads lines of at most so many bytes from a connection.
struct LineReader {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var decoder: NIOSingleStepByteToMessageProcessor<LineBasedFrameDecoder>
    /// Decoded, and not returned yet.
    private var lines: [ByteBuffer] = []
    /// Of one line, in bytes.
    private let limit: Int

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, limit: Int) {
        self.iterator = inbound.makeAsyncIterator()
        self.decoder = NIOSingleStepByteToMessageProcessor(LineBasedFrameDecoder(), maximumBufferSize: limit)
        self.limit = limit
    }

    /// The next line without its end; nil at the end of the connection, which may have cut a line.
    ///
    /// - Throws: ``ControlFailure/tooLong(limit:)``, only once the line has ended: a peer that is still sending would lose
    ///   the answer. `CancellationError`, and errors of the connection.
    mutating func next() async throws -> ByteBuffer? {
        while self.lines.isEmpty {
            guard let bytes = try await self.iterator.next() else { return nil }
            do {
                var lines: [ByteBuffer] = []
                try self.decoder.process(buffer: bytes) { lines.append($0) }
                self.lines = lines
            } catch is ByteToMessageDecoderError.PayloadTooLargeError {
                try await self.skipLine()
                throw ControlFailure.tooLong(limit: self.limit)
            }
        }
        let line = self.lines.removeFirst()
        guard line.readableBytes <= self.limit else { throw ControlFailure.tooLong(limit: self.limit) }
        return line
    }

    private mutating func skipLine() async throws {
        while let bytes = try await self.iterator.next(), !bytes.readableBytesView.contains(0x0A) {}
    }

    /// Waits for the end of the connection and drops everything that arrives until then.
    mutating func untilEnd() async throws {
        while try await self.iterator.next() != nil {}
    }
}
