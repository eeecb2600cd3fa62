import Synchronization

/// Bounds concurrent work by number and weight; queues by urgency; rejects at once when the queue is full.
///
/// A cancelled waiter leaves the queue at once. A waiter moves forward when its urgency rises.
///
/// The lock guards the permits and the queue; waiters are resumed outside it.
public final class WeightedSemaphore: Sendable {
    /// The bounds of a semaphore.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of permits held at once, at least 1.
        public var count: Int
        /// The maximum number of waiters.
        public var queue: Int
        /// The maximum total weight of all held permits, in any unit; a heavier permit is charged this much.
        public var weight: Int

        /// Creates limits by number, and by weight if `weight` is given.
        public init(count: Int, queue: Int, weight: Int = .max) {
            self.count = max(1, count)
            self.queue = max(0, queue)
            self.weight = max(1, weight)
        }
    }

    /// Rejects a request: neither a permit nor a place in the queue is available.
    public struct QueueFull: Error, Hashable, Sendable {
        /// Estimated time until all present waiters have had their turn, from recent holding times.
        public let estimatedWait: Duration
    }

    /// The current load.
    public struct Usage: Hashable, Sendable {
        /// The number of permits held.
        public var held: Int
        /// The total weight held.
        public var weight: Int
        /// Waiters by level.
        public var waiting: [Urgency.Level: Int]
        /// Number of tasks in ``WeightedSemaphore/waitForFreePermit(besides:)``.
        public var watching: Int

        /// Waiters of all levels.
        public var waitingCount: Int { self.waiting.values.reduce(0, +) }
    }

    private struct State {
        var queue: SemaphoreQueue
        /// Exponential moving average of the time a permit is held; each new value counts for an eighth.
        var meanHoldNanoseconds: UInt64 = 0
        /// Tasks that wait for a free permit, each with the number of free permits it does not count.
        var watchers: [Waiter<Void>.ID: (waiter: Waiter<Void>, reserved: Int)] = [:]

        /// Removes and returns the ``watchers`` for which a permit is free.
        mutating func notified() -> [Waiter<Void>] {
            guard !self.watchers.isEmpty else { return [] }
            let notified = self.watchers.values.filter { self.queue.hasFreePermit(besides: $0.reserved) }.map(\.waiter)
            for waiter in notified { self.watchers[waiter.id] = nil }
            return notified
        }

        func estimatedWait() -> Duration {
            let rounds = self.queue.waitingCount / self.queue.limits.count + 1
            return .nanoseconds(Int64(clamping: self.meanHoldNanoseconds)) * rounds
        }
    }

    /// The bounds of permits and queue.
    public let limits: Limits
    private let now: @Sendable () -> UInt64
    private let whenAdmitted: (@Sendable (UInt64) -> Void)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - whenAdmitted: Called on the task for each permit of ``withPermit(weight:urgency:_:)`` with its waiting time
    ///     in nanoseconds; must not block.
    public init(
        _ limits: Limits, now: @escaping @Sendable () -> UInt64, whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) {
        self.limits = limits
        self.now = now
        self.whenAdmitted = whenAdmitted
        self.state = Mutex(State(queue: SemaphoreQueue(limits: limits)))
    }

    /// The current load.
    public var usage: Usage {
        self.state.withLock { state in
            let waiting = Urgency.Level.allCases.map { ($0, state.queue.waiting[$0.rawValue].count) }
            return Usage(
                held: state.queue.heldCount, weight: state.queue.heldWeight,
                waiting: Dictionary(uniqueKeysWithValues: waiting), watching: state.watchers.count)
        }
    }

    /// Runs `body` with a permit.
    /// - Parameters:
    ///   - weight: The permit's charge against ``Limits/weight``.
    ///   - urgency: May rise during the wait.
    /// - Throws: ``QueueFull`` at once, or when more urgent work takes the place in the queue; `CancellationError` if
    ///   the task is cancelled before its turn; the error of `body`.
    public func withPermit<Value: Sendable>(
        weight: Int = 0, urgency: Urgency, _ body: () async throws -> Value
    ) async throws -> Value {
        let weight = self.state.withLock { $0.queue.clamped(weight) }
        let arrival = self.now()
        try await self.acquire(weight: weight, urgency: urgency)
        let start = self.now()
        self.whenAdmitted?(start &- arrival)
        defer { self.release(weight: weight, start: start) }
        return try await body()
    }

    /// A held permit with a variable weight. Its methods may be called only while the body that received it runs.
    public final class Permit: Sendable {
        private let semaphore: WeightedSemaphore
        fileprivate let weight: Atomic<Int>

        fileprivate init(_ semaphore: WeightedSemaphore, weight: Int) {
            self.semaphore = semaphore
            self.weight = Atomic(weight)
        }

        /// Changes the weight if there is room for it beside the other permits; never waits. Reducing it always
        /// succeeds, and may admit waiters.
        /// - Parameter weight: Clamped to ``Limits/weight``.
        /// - Returns: Whether the weight was changed.
        public func resize(to weight: Int) -> Bool { self.semaphore.resize(self, to: weight) }

        /// Moves the permit's whole weight to an object that keeps it charged after the permit has ended.
        ///
        /// For work that pauses and later continues with another permit of weight 0: its memory stays charged
        /// meanwhile.
        public func keepWeight() -> HeldWeight {
            HeldWeight(self.semaphore, weight: self.weight.exchange(0, ordering: .relaxed))
        }
    }

    /// A charge of weight without a permit, until ``release()`` or deinitialisation.
    public final class HeldWeight: Sendable {
        private let semaphore: WeightedSemaphore
        private let weight: Atomic<Int>

        fileprivate init(_ semaphore: WeightedSemaphore, weight: Int) {
            self.semaphore = semaphore
            self.weight = Atomic(weight)
        }

        deinit { self.release() }

        /// Ends the charge; further calls have no effect.
        public func release() {
            let weight = self.weight.exchange(0, ordering: .relaxed)
            if weight > 0 { self.semaphore.update { $0.queue.release(heldWeight: weight) } }
        }
    }

    /// As ``withPermit(weight:urgency:_:)``, for work that determines its weight only while it runs.
    /// - Throws: The same errors.
    public func withPermit<Value: Sendable>(
        weight: Int, urgency: Urgency, _ body: (Permit) async throws -> Value
    ) async throws -> Value {
        let weight = self.state.withLock { $0.queue.clamped(weight) }
        let arrival = self.now()
        try await self.acquire(weight: weight, urgency: urgency)
        let start = self.now()
        self.whenAdmitted?(start &- arrival)
        let permit = Permit(self, weight: weight)
        defer { self.release(weight: permit.weight.load(ordering: .relaxed), start: start) }
        return try await body(permit)
    }

    /// Runs `body` if a permit is free and the queue is empty.
    /// - Parameter weight: The permit's charge against ``Limits/weight``.
    /// - Returns: The result of `body`; `nil`, at once, if no permit is free.
    /// - Throws: The error of `body`.
    public func withFreePermit<Value: Sendable>(
        weight: Int = 0, _ body: () async throws -> Value
    ) async rethrows -> Value? {
        let taken = self.state.withLock { state -> Int? in
            let weight = state.queue.clamped(weight)
            return state.queue.takePermit(weight: weight, at: .warming) ? weight : nil
        }
        guard let taken else { return nil }
        let start = self.now()
        defer { self.release(weight: taken, start: start) }
        return try await body()
    }

    /// Waits until a permit is free and the queue is empty. Takes no permit: another task may take it before the caller
    /// continues.
    /// - Parameter reserved: The number of free permits that do not count.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForFreePermit(besides reserved: Int = 0) async throws {
        try await withWaiter { (waiter: Waiter<Void>) in
            let isFree = self.state.withLock { state in
                let isFree = state.queue.hasFreePermit(besides: reserved)
                if !isFree { state.watchers[waiter.id] = (waiter, reserved) }
                return isFree
            }
            if isFree { waiter.resume() }
        } cancel: { id in
            let watcher = self.state.withLock { $0.watchers.removeValue(forKey: id) }
            watcher?.waiter.resume(throwing: CancellationError())
        }
    }

    /// Charges weight without a permit if there is room and the queue is empty; never waits.
    /// - Returns: `nil` without room, and if `weight` exceeds ``Limits/weight``.
    public func holdFreeWeight(_ weight: Int) -> HeldWeight? {
        let isHeld = self.state.withLock { state in
            state.queue.waitingCount == 0 && state.queue.exchange(0, for: max(0, weight))
        }
        return isHeld ? HeldWeight(self, weight: max(0, weight)) : nil
    }

    private func resize(_ permit: Permit, to weight: Int) -> Bool {
        self.update { state in
            let weight = state.queue.clamped(weight)
            guard state.queue.exchange(permit.weight.load(ordering: .relaxed), for: weight) else { return false }
            permit.weight.store(weight, ordering: .relaxed)
            return true
        }
    }

    private func acquire(weight: Int, urgency: Urgency) async throws {
        try Task.checkCancellation()
        if self.state.withLock({ $0.queue.takePermit(weight: weight, at: urgency.level) }) { return }
        let id = Waiter<Void>.nextID()
        // Observed before the waiter is enqueued: a rise in between finds no entry, but `enqueue` reads the level
        // afterwards.
        let observer = urgency.observe { level in self.update { $0.queue.raise(id, to: level) } }
        defer { urgency.forget(observer) }
        try await withWaiter(id: id) { waiter in
            self.enqueue(waiter, weight: weight, urgency: urgency)
        } cancel: { id in
            self.update { $0.queue.remove(id) }?.waiter.resume(throwing: CancellationError())
        }
    }

    private func enqueue(_ waiter: Waiter<Void>, weight: Int, urgency: Urgency) {
        var isAdmitted = false
        let rejected = self.update { state -> (Waiter<Void>, QueueFull)? in
            isAdmitted = state.queue.takePermit(weight: weight, at: urgency.level)
            guard !isAdmitted else { return nil }
            let full = QueueFull(estimatedWait: state.estimatedWait())
            let entry = SemaphoreQueue.Entry(weight: weight, waiter: waiter)
            let (isQueued, displaced) = state.queue.enqueue(entry, at: urgency.level)
            return isQueued ? displaced.map { ($0, full) } : (waiter, full)
        }
        if isAdmitted { waiter.resume() }
        if let (waiter, full) = rejected { waiter.resume(throwing: full) }
    }

    private func release(weight: Int, start: UInt64) {
        let held = self.now() &- start
        self.update { state in
            let mean = state.meanHoldNanoseconds
            state.meanHoldNanoseconds = mean == 0 ? held : mean - mean / 8 + held / 8
            state.queue.release(weight: weight)
        }
    }

    /// Changes the state, then resumes the waiters that can be admitted. Any change may admit waiters, such as the
    /// removal of a heavy waiter in front of lighter ones.
    private func update<Value>(_ change: (inout State) -> Value) -> Value {
        let (value, resumed) = self.state.withLock { state in
            let value = change(&state)
            return (value, state.queue.admitted() + state.notified())
        }
        for waiter in resumed { waiter.resume() }
        return value
    }
}
