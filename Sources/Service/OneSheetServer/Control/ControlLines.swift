import NIOCore
import NIOExtras
import Synchronization

/// Reads lines of limited length from a connection.
struct LineReader {
    private var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var decoder: NIOSingleStepByteToMessageProcessor<LineBasedFrameDecoder>
    private var lines: [ByteBuffer] = []
    private let limit: Int

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, limit: Int) {
        self.iterator = inbound.makeAsyncIterator()
        self.decoder = NIOSingleStepByteToMessageProcessor(LineBasedFrameDecoder(), maximumBufferSize: limit)
        self.limit = limit
    }

    /// The next line without its line break; `nil` at the end of the connection, which may have truncated a line.
    ///
    /// - Throws: ``ControlFailure/tooLong(limit:)``, but only after the line has ended: a peer that is still sending
    ///   would lose the response. `CancellationError`, and errors of the connection.
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

    /// Waits for the end of the connection and discards everything that arrives.
    mutating func untilEnd() async throws {
        while try await self.iterator.next() != nil {}
    }
}

/// Sends events as lines; progress at most ten times a second.
final class ControlEventWriter: Sendable {
    private static let interval: UInt64 = 100_000_000
    /// How long a command may leave a line unread.
    private static let sendTime = TimeAmount.seconds(60)

    private struct State {
        var sent: UInt64?
        var withheld: ControlEvent?
    }

    private let channel: any Channel
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(_ channel: any Channel, now: @escaping @Sendable () -> UInt64) {
        self.channel = channel
        self.now = now
    }

    /// Returns when the kernel has the line. Progress too soon after other progress is held back until another event is
    /// sent, or newer progress replaces it. Throws `CancellationError` if the command has disconnected.
    func send(_ event: ControlEvent) async throws {
        guard case .progress = event else {
            try await self.flush()
            try await self.write(event)
            return
        }
        let now = self.now()
        let isDue = self.state.withLock { state in
            if let sent = state.sent, now < sent + Self.interval {
                state.withheld = event
                return false
            }
            state.sent = now
            state.withheld = nil
            return true
        }
        if isDue { try await self.write(event) }
    }

    func flush() async throws {
        let withheld = self.state.withLock { $0.withheld.take() }
        if let withheld { try await self.write(withheld) }
    }

    private func write(_ event: ControlEvent) async throws {
        let line = ByteBuffer(string: try JSONLine.encode(event) + "\n")
        let channel = self.channel
        let limit = channel.eventLoop.scheduleTask(in: Self.sendTime) { channel.close(promise: nil) }
        defer { limit.cancel() }
        do {
            try await channel.writeAndFlush(line)
        } catch {
            // Any error of the socket means that the command is gone.
            throw CancellationError()
        }
    }
}
