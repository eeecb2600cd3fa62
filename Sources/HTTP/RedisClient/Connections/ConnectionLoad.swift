import Synchronization

/// Bounds what is under way on one connection: commands whose reply is not there, and their bytes. Safe to use from any
/// thread.
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

    /// - Returns: Whether another command may be sent; it is counted then.
    func admit(byteCount: Int) -> Bool {
        self.state.withLock { state in
            // A single one may be as large as all.
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

/// How much may be under way on one connection.
package struct PipelineLimits: Hashable, Sendable {
    /// Commands whose reply is not there; 512 by default.
    package var count = 512
    /// Of those commands, in bytes; 16 MiB by default.
    package var byteCount = 16 << 20

    package init() {}
}
