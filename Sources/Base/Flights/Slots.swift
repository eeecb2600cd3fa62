import Synchronization

/// So many may work at once; so many may wait, the most urgent first; whoever comes then is refused at once.
///
/// Whoever waits and is cancelled leaves at once. Urgency that rises while somebody waits moves him forward.
///
/// The lock guards the line of those that wait; continuations are resumed outside it.
public final class Slots: Sendable {
    /// What there is of each; see the members.
    public struct Limits: Hashable, Sendable {
        /// How many may hold a slot at once, at least 1.
        public var count: Int
        /// How many may wait for one.
        public var queue: Int
        /// What those who hold slots may weigh together, in any unit; what is heavier than this counts as this.
        public var weight: Int

        /// Limits of number, and of weight if `weight` is given.
        public init(count: Int, queue: Int, weight: Int = .max) {
            self.count = max(1, count)
            self.queue = max(0, queue)
            self.weight = max(1, weight)
        }
    }

    /// There is neither a slot nor a place to wait.
    public struct Full: Error, Hashable, Sendable {
        /// How long it may take until those that wait now have had their turn; an estimate from what slots were held
        /// for lately.
        public let estimatedWait: Duration
    }

    /// How full it is.
    public struct Usage: Hashable, Sendable {
        /// Slots that are held.
        public var held: Int
        /// What they weigh.
        public var weight: Int
        /// Those that wait, by level.
        public var waiting: [Urgency.Level: Int]
        /// How long a slot is held, a mean in which each newer one counts for an eighth.
        public var meanHold: Duration

        /// Those that wait, of all levels.
        public var waitingCount: Int { self.waiting.values.reduce(0, +) }
    }

    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var lastID: UInt64 = 0
        var line: SlotLine<Waiter>
        var meanHoldNanoseconds: UInt64 = 0

        func estimatedWait() -> Duration {
            let rounds = self.line.waitingCount / self.line.limits.count + 1
            return .nanoseconds(Int64(clamping: self.meanHoldNanoseconds)) * rounds
        }
    }

    /// What there is.
    public let limits: Limits
    private let now: @Sendable () -> UInt64
    private let whenAdmitted: (@Sendable (UInt64) -> Void)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - whenAdmitted: is told of everybody who got a slot how many nanoseconds he waited; on his task, so it must not wait.
    public init(
        _ limits: Limits, now: @escaping @Sendable () -> UInt64, whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) {
        self.limits = limits
        self.now = now
        self.whenAdmitted = whenAdmitted
        self.state = Mutex(State(line: SlotLine(limits: limits)))
    }

    /// How full it is now.
    public var usage: Usage {
        self.state.withLock { state in
            let waiting = Urgency.Level.allCases.map { ($0, state.line.waitingCount(at: $0)) }
            return Usage(
                held: state.line.heldCount, weight: state.line.heldWeight,
                waiting: Dictionary(uniqueKeysWithValues: waiting),
                meanHold: .nanoseconds(Int64(clamping: state.meanHoldNanoseconds)))
        }
    }

    /// Runs `body` with a slot.
    ///
    /// - Parameters:
    ///   - weight: What it counts for in ``Limits/weight``.
    ///   - urgency: May rise while it waits.
    /// - Throws: ``Full`` at once, or when something more urgent needed the place in the queue; `CancellationError` when
    ///   the task was cancelled before its turn; what `body` throws.
    public func withSlot<Value: Sendable>(
        weight: Int = 0, urgency: Urgency, _ body: () async throws -> Value
    ) async throws -> Value {
        let weight = self.state.withLock { $0.line.counted(weight) }
        let arrival = self.now()
        try await self.acquire(weight: weight, urgency: urgency)
        let start = self.now()
        self.whenAdmitted?(start &- arrival)
        defer { self.release(weight: weight, start: start) }
        return try await body()
    }

    private func acquire(weight: Int, urgency: Urgency) async throws {
        try Task.checkCancellation()
        let id = self.state.withLock { state -> UInt64? in
            if state.line.takeSlot(weight: weight, at: urgency.level) { return nil }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return }
        // Observed before it joins: a rise in between finds nobody, and `join` reads the level after that.
        let observer = urgency.observe { level in self.raise(id, to: level) }
        defer { urgency.forget(observer) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                self.join(id, weight: weight, urgency: urgency, waiter: waiter)
            }
        } onCancel: {
            self.leave(id)
        }
    }

    private func join(_ id: UInt64, weight: Int, urgency: Urgency, waiter: Waiter) {
        enum Outcome {
            case refused(any Error)
            case admitted
            case queued(displaced: Waiter?, full: Full, admitted: [Waiter])
        }
        let outcome = self.state.withLock { state -> Outcome in
            // `leave` may have run before us and found nobody; the flag is set before it runs, so reading it under the
            // lock that it takes closes that race.
            if Task.isCancelled { return .refused(CancellationError()) }
            if state.line.takeSlot(weight: weight, at: urgency.level) { return .admitted }
            let full = Full(estimatedWait: state.estimatedWait())
            let entry = SlotLine.Entry(id: id, weight: weight, waiter: waiter)
            let (isQueued, displaced) = state.line.join(entry, at: urgency.level)
            guard isQueued else { return .refused(full) }
            // Less urgent ones that are too heavy for now may be all that it has to wait behind.
            return .queued(displaced: displaced?.waiter, full: full, admitted: Self.admitted(&state))
        }
        switch outcome {
        case .refused(let error): waiter.resume(throwing: error)
        case .admitted: waiter.resume()
        case .queued(let displaced, let full, let admitted):
            displaced?.resume(throwing: full)
            for waiter in admitted { waiter.resume() }
        }
    }

    private func leave(_ id: UInt64) {
        let (waiter, admitted) = self.state.withLock { state -> (Waiter?, [Waiter]) in
            let entry = state.line.leave(id)
            // Who waited behind a heavy one may fit.
            return (entry?.waiter, Self.admitted(&state))
        }
        waiter?.resume(throwing: CancellationError())
        for waiter in admitted { waiter.resume() }
    }

    private func raise(_ id: UInt64, to level: Urgency.Level) {
        let admitted = self.state.withLock { state -> [Waiter] in
            state.line.raise(id, to: level)
            return Self.admitted(&state)
        }
        for waiter in admitted { waiter.resume() }
    }

    private func release(weight: Int, start: UInt64) {
        let held = self.now() &- start
        let admitted = self.state.withLock { state -> [Waiter] in
            let mean = state.meanHoldNanoseconds
            state.meanHoldNanoseconds = mean == 0 ? held : mean - mean / 8 + held / 8
            state.line.release(weight: weight)
            return Self.admitted(&state)
        }
        for waiter in admitted { waiter.resume() }
    }

    private static func admitted(_ state: inout State) -> [Waiter] {
        var admitted: [Waiter] = []
        while let entry = state.line.admitNext() { admitted.append(entry.waiter) }
        return admitted
    }
}
