import Synchronization

/// Runs tasks that no caller waits for, one per key and a limited number in all, until they end or ``close()`` cancels them.
///
/// Under the lock: the table of tasks; cancellations happen outside it. Every operation is O(1) but making room, O(n).
public final class BackgroundTasks<Key: Hashable & Sendable, Request: Equatable & Sendable>: Sendable {
    /// What becomes of a request over the limit.
    public enum Overflow: Sendable {
        /// It is ignored.
        case ignoresNew
        /// It runs, and the oldest task is cancelled.
        case cancelsOldest
    }

    private struct Run {
        let id: UInt64
        let request: Request
        let task: Task<Void, Never>
    }

    private struct State {
        var lastID: UInt64 = 0
        var runs: [Key: Run] = [:]
        var isClosed = false
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

    /// The number of tasks under way.
    public var count: Int { self.state.withLock { $0.runs.count } }

    /// Starts `work` in place of what is under way for `key`, which is cancelled; has no effect while the same request is
    /// under way, and after ``close()``.
    ///
    /// - Parameter work: nil when the request leaves nothing to do.
    public func start(_ request: Request, for key: Key, _ work: (@Sendable () async -> Void)?) {
        let cancelled = self.state.withLock { state -> [Run] in
            guard !state.isClosed, state.runs[key]?.request != request else { return [] }
            var cancelled = state.runs.removeValue(forKey: key).map { [$0] } ?? []
            guard let work else { return cancelled }
            if state.runs.count >= self.limit {
                guard self.overflow == .cancelsOldest, let oldest = state.runs.min(by: { $0.value.id < $1.value.id })
                else { return cancelled }
                state.runs[oldest.key] = nil
                cancelled.append(oldest.value)
            }
            state.lastID += 1
            let id = state.lastID
            // Unstructured, because it outlives the request that started it; `close` and supersession cancel it.
            let task = Task(priority: self.priority) {
                await work()
                self.end(key, id)
            }
            state.runs[key] = Run(id: id, request: request, task: task)
            return cancelled
        }
        for run in cancelled { run.task.cancel() }
    }

    /// Cancels all tasks, and starts none any more.
    public func close() {
        let runs = self.state.withLock { state in
            state.isClosed = true
            defer { state.runs = [:] }
            return Array(state.runs.values)
        }
        for run in runs { run.task.cancel() }
    }

    private func end(_ key: Key, _ id: UInt64) {
        let run = self.state.withLock { state in
            state.runs[key]?.id == id ? state.runs.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(run) {}
    }
}
