import Flights
import Synchronization

/// The commits of originals that are in progress, so that a purge also removes the originals that they store. Safe from
/// any thread.
///
/// A commit enters before it checks that its original was not forgotten, and a purge forgets the original before it
/// waits: so either the commit is not made, or the purge waits for it.
final class CommitsInProgress: Sendable {
    private struct State {
        var lastID: UInt64 = 0
        /// Opened when the commit has ended.
        var ends: [PosterID: [UInt64: Gate]] = [:]
    }

    private let state = Mutex(State())

    /// Runs `body` as a commit of an original.
    func enter<Value>(_ id: PosterID, _ body: () async throws -> Value) async rethrows -> Value {
        let end = Gate()
        let commit = self.state.withLock { state in
            state.lastID += 1
            state.ends[id, default: [:]][state.lastID] = end
            return state.lastID
        }
        defer {
            self.state.withLock { state in
                state.ends[id]?[commit] = nil
                if state.ends[id]?.isEmpty == true { state.ends[id] = nil }
            }
            end.open()
        }
        return try await body()
    }

    /// Waits for the end of the commits of an original that have entered.
    /// - Throws: `CancellationError`.
    func wait(for id: PosterID) async throws {
        let ends = self.state.withLock { state in state.ends[id].map { Array($0.values) } ?? [] }
        for end in ends { try await end.wait() }
    }
}
