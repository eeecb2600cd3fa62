import Flights
import Synchronization

/// Callers' commands to the fetch thread, the only state that they share with it.
///
/// Under the lock: the commands not yet taken, at most one for each fetch and its cancellation. Every operation is O(1).
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
        /// nil once the thread has ended.
        var multi: CurlMulti?

        /// Adds a command, and wakes the thread for the first one of a batch.
        ///
        /// Wakes it under the lock, because ``close()`` takes the multi away under it, and waking a destroyed one would be
        /// a use after free. It is one write to a non-blocking descriptor.
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

    /// Hands a hop to the fetch thread, or resumes its waiter with ``FetchError/shutDown``.
    func submit(_ submission: Submission) {
        let isStopped = self.state.withLock { state in
            if !state.isStopped { state.post { $0.submissions.append(submission) } }
            return state.isStopped
        }
        if isStopped { submission.waiter.resume(throwing: FetchError.shutDown) }
    }

    /// Cancels a hop; has no effect when it has ended, or was not submitted yet.
    func cancel(_ id: UInt64) {
        self.state.withLock { state in
            if !state.isStopped { state.post { $0.cancelledIDs.append(id) } }
        }
    }

    /// Asks the thread to end; later submissions fail with ``FetchError/shutDown``.
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

    /// Releases the multi, so that no caller wakes it any more.
    func close() {
        let multi = self.state.withLock { $0.multi.take() }
        // Its deinit closes connections: not under the lock.
        withExtendedLifetime(multi) {}
    }
}
