import Synchronization

/// Runs tasks that no caller waits for, one per key and a limited number at once, until they end or are cancelled.
///
/// Under the lock: the tasks and the queue; cancellations happen outside it. Every operation is O(1) but making room and
/// counting, which are O(tasks under way).
public final class BackgroundTasks<Key: Hashable & Sendable, Request: Equatable & Sendable>: Sendable {
    /// What becomes of a request over the limit.
    public enum Overflow: Hashable, Sendable {
        /// It is ignored.
        case ignoresNew
        /// It runs, and the oldest task is cancelled.
        case cancelsOldest
        /// It waits in a queue of at most so much weight, oldest or newest first.
        case queues(limit: Int, newestFirst: Bool = false)
    }

    /// What became of a request.
    public enum Acceptance: Sendable {
        /// It runs, or waits for that.
        case accepted
        /// The same was under way.
        case underWay
        /// Over the limit, or after ``close()``.
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
        /// By their order of arrival, from ``first`` to before ``end``.
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
    ///   - limit: The most tasks at once.
    ///   - priority: Of the tasks.
    public init(limit: Int, overflow: Overflow, priority: TaskPriority) {
        self.limit = limit
        self.overflow = overflow
        self.priority = priority
    }

    /// The weight of the tasks under way and waiting; their number, if each has the weight 1.
    public var count: Int { self.state.withLock { $0.weight } }

    /// Starts `work` in place of what is under way for `key`, which is cancelled; has no effect while the same request is
    /// under way or one for the key is queued, and after ``close()``.
    ///
    /// - Parameters:
    ///   - weight: How much of the queue it takes, and counts for; 1 or more.
    ///   - work: nil when the request leaves nothing to do.
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

    /// Cancels all tasks, and empties the queue.
    /// - Returns: Their weight.
    @discardableResult
    public func cancelAll() -> Int {
        let ended = self.state.withLock { state in
            defer { state = State(lastID: state.lastID, isClosed: state.isClosed) }
            return state
        }
        for run in ended.runs.values { run.task.cancel() }
        return ended.weight
    }

    /// As ``cancelAll()``, and starts nothing any more.
    public func close() {
        self.state.withLock { $0.isClosed = true }
        self.cancelAll()
    }

    private func run(_ waiting: Waiting, _ state: inout State) {
        state.lastID += 1
        let (id, key, work) = (state.lastID, waiting.key, waiting.work)
        // Unstructured, because it outlives the request that started it; supersession and `cancelAll` cancel it.
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
