import Flights
import Synchronization

/// Work that goes on behind answers, one per original and a limited number in all; what is over the limit is not done, and
/// asked for again by the next answer.
final class Revalidations: Sendable {
    private struct State {
        var lastID: UInt64 = 0
        var tasks: [PosterID: (id: UInt64, task: Task<Void, Never>)] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// How many are under way.
    var count: Int { self.state.withLock { $0.tasks.count } }

    /// Starts `work` unless there is some for that original, or too much for others.
    func start(_ id: PosterID, _ work: @escaping @Sendable () async -> Void) {
        self.state.withLock { state in
            guard !state.isClosed, state.tasks[id] == nil, state.tasks.count < self.limit else { return }
            state.lastID += 1
            let number = state.lastID
            // Nobody waits for it: it is the service's own, ends by its fetch's deadline, and `close` cancels it.
            let task = Task(priority: .utility) {
                await Urgency.$current.withValue(Urgency(.revalidation)) { await work() }
                self.end(id, number)
            }
            state.tasks[id] = (number, task)
        }
    }

    /// Cancels what is under way, and starts nothing any more.
    func close() {
        let tasks = self.state.withLock { state in
            state.isClosed = true
            defer { state.tasks = [:] }
            return state.tasks.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }

    private func end(_ id: PosterID, _ number: UInt64) {
        let task = self.state.withLock { state in
            state.tasks[id]?.id == number ? state.tasks.removeValue(forKey: id)?.task : nil
        }
        withExtendedLifetime(task) {}
    }
}
