import Flights
import PosterCodec
import Synchronization

/// Decides how much is rendered ahead of requests, at targets that are frequent among other posters, within shares of
/// CPU time and of the cache. Safe from any thread.
///
/// Work under the lock is constant: it includes look-ups of ``looksAtOnce`` cached variants.
final class LadderAhead: Sendable {
    /// Maximum number of variants after one job.
    static let targetLimit = 8
    /// Maximum number of recorded unused variants; at the limit no more are rendered.
    static let unusedLimit = 4096
    /// Number of unused variants checked for use or eviction before another one is rendered.
    static let looksAtOnce = 32

    private struct Unused {
        let key: VariantKey
        let byteCount: Int
    }

    private struct State {
        var time: CPUShare
        /// Variants without uses at their last check, in rotation from ``next`` on.
        var unused: [Unused] = []
        var next = 0
        var byteCount = 0
    }

    private let limits: LadderAheadLimits
    private let variants: VariantCache
    private let counters: PipelineCounters
    private let now: @Sendable () -> UInt64
    private let state: Mutex<State>

    init(
        limits: LadderAheadLimits, variants: VariantCache, threadCount: Int, counters: PipelineCounters,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.limits = limits
        self.variants = variants
        self.counters = counters
        self.now = now
        self.state = Mutex(State(time: CPUShare(threads: limits.cpuShare * Double(threadCount))))
    }

    /// Memory of variants that were rendered ahead and had no uses at their last check, in bytes.
    var unusedBytes: Int { self.state.withLock { $0.byteCount } }

    func isAllowed() -> Bool {
        let now = self.now()
        let (isAllowed, usedCount) = self.state.withLock { state -> (Bool, Int) in
            let usedCount = self.review(&state)
            let hasTime = state.time.pause(at: now) == 0
            let hasRoom =
                state.unused.count < Self.unusedLimit
                && Double(state.byteCount) < self.limits.cacheShare * Double(self.variants.byteBudget)
            return (hasTime && hasRoom, usedCount)
        }
        self.counters.count(.ladderUsed, by: usedCount)
        return isAllowed
    }

    /// Records a variant that was rendered ahead.
    /// - Parameter wasAwaited: Whether a request waited for it.
    func note(_ key: VariantKey, byteCount: Int, wasAwaited: Bool) {
        self.counters.count(.ladderRendered)
        guard !wasAwaited else { return self.counters.count(.ladderUsed) }
        self.state.withLock { state in
            state.unused.append(Unused(key: key, byteCount: byteCount))
            state.byteCount += byteCount
        }
    }

    func charge(nanoseconds: UInt64) {
        let now = self.now()
        self.state.withLock { $0.time.charge(nanoseconds: nanoseconds, at: now) }
    }

    /// Checks the next unused variants, and removes those that have been used or evicted.
    /// - Returns: The number of used ones.
    private func review(_ state: inout State) -> Int {
        var usedCount = 0
        for _ in 0..<min(Self.looksAtOnce, state.unused.count) {
            if state.next >= state.unused.count { state.next = 0 }
            let uses = self.variants.useCount(of: state.unused[state.next].key)
            if uses == 0 {
                state.next += 1
                continue
            }
            if uses != nil { usedCount += 1 }
            state.byteCount -= state.unused[state.next].byteCount
            state.unused.swapAt(state.next, state.unused.count - 1)
            state.unused.removeLast()
        }
        return usedCount
    }
}

/// Limits of rendering at targets that were recently requested of other posters.
package struct LadderAheadLimits: Hashable, Sendable {
    /// Share of the codec threads' time, above 0 and at most 1.
    package var cpuShare: Double
    /// Share of the variant cache for variants without a request since, above 0 and at most 1.
    package var cacheShare: Double

    package init(cpuShare: Double = 0.25, cacheShare: Double = 0.1) {
        precondition(0 < cpuShare && cpuShare <= 1 && 0 < cacheShare && cacheShare <= 1, "shares out of range")
        self.cpuShare = cpuShare
        self.cacheShare = cacheShare
    }
}
