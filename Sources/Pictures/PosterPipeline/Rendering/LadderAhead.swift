import Flights
import PosterCodec
import Synchronization

/// Decides what else is rendered of a poster that a client has asked for: what is often requested of other posters, within
/// shares of CPU time and of the cache. Safe from any thread.
///
/// Under the lock: constant work, and a look at ``looksAtOnce`` cached variants.
final class LadderAhead: Sendable {
    /// The most variants after one job.
    static let targetLimit = 8
    /// The most unused variants that are known; while there are so many, no more are rendered.
    static let unusedLimit = 4096
    /// How many unused variants are looked at, whether they have been used or have gone, before another is rendered.
    static let looksAtOnce = 32

    private struct Unused {
        let key: VariantKey
        let byteCount: Int
    }

    private struct State {
        var time: CPUShare
        /// Of the variants that were not used when they were looked at last, as a ring.
        var unused: [Unused] = []
        var next = 0
        var byteCount = 0
    }

    private let limits: LadderAheadLimits
    private let variants: VariantCache
    private let counters: PipelineCounters
    private let now: @Sendable () -> UInt64
    private let state: Mutex<State>

    /// - Parameter now: A monotonic time in nanoseconds.
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

    /// The memory of variants that were rendered ahead and not used when they were looked at last, in bytes.
    var unusedBytes: Int { self.state.withLock { $0.byteCount } }

    /// Whether another variant may be rendered.
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

    /// Notes a variant that was rendered.
    /// - Parameter wasAwaited: Whether a request has waited for it meanwhile.
    func note(_ key: VariantKey, byteCount: Int, wasAwaited: Bool) {
        self.counters.count(.ladderRendered)
        guard !wasAwaited else { return self.counters.count(.ladderUsed) }
        self.state.withLock { state in
            state.unused.append(Unused(key: key, byteCount: byteCount))
            state.byteCount += byteCount
        }
    }

    /// Notes CPU time that was spent.
    func charge(nanoseconds: UInt64) {
        let now = self.now()
        self.state.withLock { $0.time.charge(nanoseconds: nanoseconds, at: now) }
    }

    /// Forgets those of the next unused variants that have been used or have gone.
    /// - Returns: How many have been used.
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

/// How much may be rendered because other posters were recently requested at the same targets.
package struct LadderAheadLimits: Hashable, Sendable {
    /// Of the codec threads' time, above 0 and at most 1.
    package var cpuShare: Double
    /// Of the variants' memory, above 0 and at most 1: what was rendered so and not requested since.
    package var cacheShare: Double

    package init(cpuShare: Double = 0.25, cacheShare: Double = 0.1) {
        precondition(0 < cpuShare && cpuShare <= 1 && 0 < cacheShare && cacheShare <= 1, "shares out of range")
        self.cpuShare = cpuShare
        self.cacheShare = cacheShare
    }
}
