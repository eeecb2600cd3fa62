import Synchronization

/// Bounds the number and bytes of a connection's commands in flight. Thread-safe.
final class ConnectionLoad: Sendable {
    private struct State {
        var count = 0
        var byteCount = 0
    }

    private let limits: PipelineLimits
    private let state = Mutex(State())

    init(_ limits: PipelineLimits) {
        self.limits = limits
    }

    var count: Int { self.state.withLock { $0.count } }

    /// Counts a command if the limits allow it.
    func admit(byteCount: Int) -> Bool {
        self.state.withLock { state in
            // A command that is alone is admitted whatever its size.
            guard
                state.count < self.limits.count,
                state.count == 0 || state.byteCount + byteCount <= self.limits.byteCount
            else { return false }
            state.count += 1
            state.byteCount += byteCount
            return true
        }
    }

    func release(byteCount: Int) {
        self.state.withLock { state in
            state.count -= 1
            state.byteCount -= byteCount
        }
    }
}

/// Limits of the commands in flight on one connection.
package struct PipelineLimits: Hashable, Sendable {
    /// Commands without a reply so far; 512 by default.
    package var count = 512
    /// Total size of these commands, in bytes; 16 MiB by default. A command that is alone may be larger.
    package var byteCount = 16 << 20

    package init() {}
}
