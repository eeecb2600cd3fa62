import Synchronization

/// Runs background tasks, at most one per key and a limited number at once, until they end or are cancelled.
///
/// The lock guards the tasks and the queue; cancellations happen outside it. Every operation is O(1), except for
/// ``count`` and cancelling the oldest task, which are O(running tasks).
public final class BackgroundTasks<Key: Hashable & Sendable, Request: Equatable & Sendable>: Sendable {
    /// The treatment of a request over the limit.
    public enum Overflow: Hashable, Sendable {
        /// The request is rejected.
        case ignoresNew
        /// The request runs, and the oldest task is cancelled.
        case cancelsOldest
        /// The request is queued, up to this total weight; the oldest or the newest runs first.
        case queues(limit: Int, newestFirst: Bool = false)
    }

    /// The outcome of a request.
    public enum Acceptance: Sendable {
        /// The request runs or is queued.
        case accepted
        /// The same request is running, or one for its key is queued.
        case underWay
        /// Rejected: over the limit, or after ``close()``.
        case refused
    }

    private struct Waiting {
        let key: Key
        let request: Request
        let weight: Int
        let work: @Sendable () async -> Void
    }

    private struct Run {
        let id: UInt64
        let request: Request
        let weight: Int
        let task: Task<Void, Never>
    }

    private struct State {
        var lastID: UInt64 = 0
        var runs: [Key: Run] = [:]
        /// By arrival number, from ``first`` to before ``end``.
        var queue: [Int: Waiting] = [:]
        var first = 0
        var end = 0
        var queuedKeys: Set<Key> = []
        var queuedWeight = 0
        var isClosed = false

        var weight: Int { self.runs.values.reduce(self.queuedWeight) { $0 + $1.weight } }

        mutating func next(newestFirst: Bool) -> Waiting? {
            guard self.first < self.end else { return nil }
            if newestFirst { self.end -= 1 }
            let next = self.queue.removeValue(forKey: newestFirst ? self.end : self.first)
            if !newestFirst { self.first += 1 }
            if let next {
                self.queuedKeys.remove(next.key)
                self.queuedWeight -= next.weight
            }
            return next
        }
    }

    private let limit: Int
    private let overflow: Overflow
    private let priority: TaskPriority
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The maximum number of tasks at once.
    ///   - priority: The priority of the tasks.
    public init(limit: Int, overflow: Overflow, priority: TaskPriority) {
        self.limit = limit
        self.overflow = overflow
        self.priority = priority
    }

    /// The total weight of running and queued tasks; their number if each has weight 1.
    public var count: Int { self.state.withLock { $0.weight } }

    /// Starts `work` and cancels the key's running task. Has no effect while the same request runs, while a request for
    /// the key is queued, and after ``close()``.
    ///
    /// - Parameters:
    ///   - weight: The request's share of the queue's limit and of ``count``; at least 1.
    ///   - work: `nil` if the request needs no work; the key's running task is cancelled all the same.
    @discardableResult
    public func start(
        _ request: Request, for key: Key, weight: Int = 1, _ work: (@Sendable () async -> Void)?
    ) -> Acceptance {
        let (acceptance, cancelled) = self.state.withLock { state -> (Acceptance, [Run]) in
            guard !state.isClosed else { return (.refused, []) }
            guard state.runs[key]?.request != request, !state.queuedKeys.contains(key) else { return (.underWay, []) }
            var cancelled = state.runs.removeValue(forKey: key).map { [$0] } ?? []
            guard let work else {
                if !cancelled.isEmpty { self.runNext(&state) }
                return (.accepted, cancelled)
            }
            let new = Waiting(key: key, request: request, weight: weight, work: work)
            if state.runs.count >= self.limit {
                switch self.overflow {
                case .queues(let limit, _) where weight <= limit - state.queuedWeight:
                    state.queue[state.end] = new
                    state.queuedKeys.insert(key)
                    state.queuedWeight += weight
                    state.end += 1
                    return (.accepted, cancelled)
                case .ignoresNew, .queues: return (.refused, cancelled)
                case .cancelsOldest:
                    guard let oldest = state.runs.min(by: { $0.value.id < $1.value.id }) else { break }
                    state.runs[oldest.key] = nil
                    cancelled.append(oldest.value)
                }
            }
            self.run(new, &state)
            return (.accepted, cancelled)
        }
        for run in cancelled { run.task.cancel() }
        return acceptance
    }

    /// Cancels all tasks and empties the queue.
    /// - Returns: The total weight of the cancelled and removed tasks.
    @discardableResult
    public func cancelAll() -> Int {
        let ended = self.state.withLock { state in
            defer { state = State(lastID: state.lastID, isClosed: state.isClosed) }
            return state
        }
        for run in ended.runs.values { run.task.cancel() }
        return ended.weight
    }

    /// As ``cancelAll()``; later requests are refused.
    public func close() {
        self.state.withLock { $0.isClosed = true }
        self.cancelAll()
    }

    private func run(_ waiting: Waiting, _ state: inout State) {
        state.lastID += 1
        let (id, key, work) = (state.lastID, waiting.key, waiting.work)
        // Unstructured, because it outlives the request that started it; a newer request for the key and `cancelAll`
        // cancel it.
        let task = Task(priority: self.priority) {
            await work()
            self.end(key, id)
        }
        state.runs[key] = Run(id: id, request: waiting.request, weight: waiting.weight, task: task)
    }

    private func end(_ key: Key, _ id: UInt64) {
        let run = self.state.withLock { state -> Run? in
            guard state.runs[key]?.id == id else { return nil }
            let run = state.runs.removeValue(forKey: key)
            self.runNext(&state)
            return run
        }
        withExtendedLifetime(run) {}
    }

    private func runNext(_ state: inout State) {
        if case .queues(_, let newestFirst) = self.overflow, let next = state.next(newestFirst: newestFirst) {
            self.run(next, &state)
        }
    }
}
