import PosterPipeline
import Synchronization

/// Buffers the times of last uses of originals, until they are written to the index.
///
/// A moment is a time in milliseconds since 1970, but always later than the previous one, even if the clock was set
/// back: only the order matters. The lock guards a dictionary; every operation but ``take()`` is O(1).
final class AccessTimes: Sendable {
    struct Use: Hashable {
        let key: Digest
        let moment: Int64
    }

    /// Number of entries at which the buffer is due to be written.
    static let flushCount = 10_000
    /// Number of entries beyond which uses of further originals are dropped.
    static let limit = 2 * flushCount

    private struct State {
        var last: Int64
        var moments: [Digest: Int64] = [:]

        mutating func next(_ now: Int64) -> Int64 {
            self.last = max(now, self.last &+ 1)
            return self.last
        }
    }

    private let secondsSince1970: @Sendable () -> Int64
    private let state: Mutex<State>

    /// - Parameter last: A moment that precedes all new ones.
    init(after last: Int64, secondsSince1970: @escaping @Sendable () -> Int64) {
        // A moment that far ahead is damaged; starting from the current time is closer to the truth.
        self.state = Mutex(State(last: OriginalRow.uses.contains(last) ? last : 0))
        self.secondsSince1970 = secondsSince1970
    }

    /// The moment of a use that is written at once.
    func moment() -> Int64 {
        let now = self.milliseconds()
        return self.state.withLock { $0.next(now) }
    }

    /// Records a use.
    /// - Returns: Whether the buffer is due to be written.
    func note(_ key: Digest) -> Bool {
        let now = self.milliseconds()
        return self.state.withLock { state in
            if state.moments[key] != nil || state.moments.count < Self.limit { state.moments[key] = state.next(now) }
            return state.moments.count == Self.flushCount
        }
    }

    /// Whether an original was used since its last use was written.
    func has(_ key: Digest) -> Bool { self.state.withLock { $0.moments[key] != nil } }

    func take() -> [Use] {
        let moments = self.state.withLock { state in
            defer { state.moments = [:] }
            return state.moments
        }
        return moments.map { Use(key: $0.key, moment: $0.value) }
    }

    private func milliseconds() -> Int64 {
        let (milliseconds, overflow) = self.secondsSince1970().multipliedReportingOverflow(by: 1000)
        return overflow ? 0 : milliseconds
    }
}
