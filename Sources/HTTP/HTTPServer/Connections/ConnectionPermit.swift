import NIOCore
import Synchronization

/// Whether an accepted connection has a permit of ``ConnectionLimiter``, or waits for one. Safe from
/// any thread.
package final class ConnectionPermit: Sendable {
    private struct State {
        var isRefused = false
        var lastID = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let taken: Atomic<Bool>
    private let state = Mutex(State())
    private let eventLoop: any EventLoop

    /// - Parameter eventLoop: Counts the time that is waited.
    init(isTaken: Bool, eventLoop: any EventLoop) {
        self.taken = Atomic(isTaken)
        self.eventLoop = eventLoop
    }

    /// Whether the connection has a permit; costs one atomic load.
    package var isTaken: Bool { self.taken.load(ordering: .relaxed) }

    /// Whether a request of the connection got no permit in time. The connection ends with that response.
    var isRefused: Bool { self.state.withLock { $0.isRefused } }

    /// Grants the permit, and resumes the requests that wait for it.
    func take() {
        self.taken.store(true, ordering: .relaxed)
        for waiter in self.state.withLock({ $0.waiters.values.map(\.self) }) { waiter.finish() }
    }

    /// Waits for the permit.
    ///
    /// - Returns: Whether the connection has it.
    /// - Throws: `CancellationError`.
    func wait(atMost limit: TimeAmount) async throws -> Bool {
        let (places, continuation) = AsyncStream.makeStream(of: Void.self)
        let id = self.state.withLock { state in
            state.lastID += 1
            state.waiters[state.lastID] = continuation
            return state.lastID
        }
        defer { _ = self.state.withLock { $0.waiters.removeValue(forKey: id) } }
        // It may have been given before anything waited.
        if self.isTaken { return true }
        let deadline = self.eventLoop.scheduleTask(in: limit) { continuation.finish() }
        defer { deadline.cancel() }
        for await _ in places {}
        try Task.checkCancellation()
        if self.isTaken { return true }
        self.state.withLock { $0.isRefused = true }
        return false
    }
}
