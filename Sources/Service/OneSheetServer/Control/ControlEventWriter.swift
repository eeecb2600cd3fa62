import NIOCore
import Synchronization

/// Sends events as lines; of progress no more than anyone can read.
final class ControlEventWriter: Sendable {
    /// Between two lines of progress, in nanoseconds.
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

    /// Returns when the kernel has the line. Progress too soon after other progress is withheld until something else is
    /// sent, or newer progress replaces it.
    ///
    /// - Throws: `CancellationError` when the command has gone.
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

    /// Sends what was withheld.
    ///
    /// - Throws: `CancellationError` when the command has gone.
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
            // Whatever the socket says, nobody is there to read it.
            throw CancellationError()
        }
    }
}
