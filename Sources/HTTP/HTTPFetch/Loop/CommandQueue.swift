import Flights
import Synchronization

/// Queues the callers' commands to the fetch thread: the only state that they share with it.
///
/// Holds at most one submission and one cancellation per fetch. Every operation is O(1).
final class CommandQueue: Sendable {
    struct Commands {
        var submissions: [Submission] = []
        var cancelledIDs: [UInt64] = []
        var isStopping = false

        var isEmpty: Bool { self.submissions.isEmpty && self.cancelledIDs.isEmpty && !self.isStopping }
    }

    private struct State {
        var isStopped = false
        var commands = Commands()
        /// `nil` once the thread has ended.
        var multi: CurlMulti?

        /// Adds a command; wakes the thread if it is the first of a batch.
        ///
        /// Wakes it under the lock, because ``close()`` releases the multi under the lock, and waking a destroyed one
        /// would be a use after free. Waking is one write to a non-blocking descriptor.
        mutating func post(_ change: (inout Commands) -> Void) {
            let wasEmpty = self.commands.isEmpty
            change(&self.commands)
            if wasEmpty { self.multi?.wakeUp() }
        }
    }

    private let state: Mutex<State>

    init(multi: CurlMulti) {
        self.state = Mutex(State(multi: multi))
    }

    // MARK: Callers, on any thread

    /// Submits a hop to the fetch thread; resumes its waiter with ``FetchError/shutDown`` if the queue is stopped.
    func submit(_ submission: Submission) {
        let isStopped = self.state.withLock { state in
            if !state.isStopped { state.post { $0.submissions.append(submission) } }
            return state.isStopped
        }
        if isStopped { submission.waiter.resume(throwing: FetchError.shutDown) }
    }

    /// Cancels a hop; has no effect if it has ended, or was not submitted yet.
    func cancel(_ id: UInt64) {
        self.state.withLock { state in
            if !state.isStopped { state.post { $0.cancelledIDs.append(id) } }
        }
    }

    /// Stops the thread; later submissions fail with ``FetchError/shutDown``.
    func stop() {
        self.state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.post { $0.isStopping = true }
        }
    }

    // MARK: The fetch thread

    func takeCommands() -> Commands {
        self.state.withLock { state in
            defer { state.commands = Commands() }
            return state.commands
        }
    }

    /// Releases the multi; afterwards no caller can wake it.
    func close() {
        let multi = self.state.withLock { $0.multi.take() }
        // Its deinit closes connections, which must not happen under the lock.
        withExtendedLifetime(multi) {}
    }
}
