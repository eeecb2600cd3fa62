import NIOCore
import Synchronization

/// Whether a connection that was accepted has one of the places that ``ConnectionLimit`` gives, or waits for one. Safe from
/// any thread.
package final class ConnectionPlace: Sendable {
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

    /// Whether the connection has a place; costs a load.
    package var isTaken: Bool { self.taken.load(ordering: .relaxed) }

    /// Whether a request of the connection found no place in time. The connection ends with that answer.
    var isRefused: Bool { self.state.withLock { $0.isRefused } }

    /// Gives the place to the connection, and lets its requests go on.
    func take() {
        self.taken.store(true, ordering: .relaxed)
        for waiter in self.state.withLock({ $0.waiters.values.map(\.self) }) { waiter.finish() }
    }

    /// Waits for the place.
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
