import Flights
import Synchronization

/// A hop on its way to the fetch thread.
struct FetchSubmission: Sendable {
    let id: UInt64
    let hop: Hop
    let sink: any FetchSink
    let urgency: Urgency
    let continuation: Transfer.Continuation
}

/// What callers ask of the fetch thread.
///
/// The only thing that they and it share.
///
/// Under the lock: the commands not yet taken, of which there are no more than fetches. Every operation is O(1).
final class CommandQueue: Sendable {
    struct Commands {
        var submissions: [FetchSubmission] = []
        var cancelledIDs: [UInt64] = []
        var isStopping = false

        var isEmpty: Bool { self.submissions.isEmpty && self.cancelledIDs.isEmpty && !self.isStopping }
    }

    private struct State {
        var lastID: UInt64 = 0
        var isStopped = false
        var commands = Commands()
        /// nil once the thread is over.
        var multi: CurlMulti?

        /// Adds a command, and wakes the thread for the first one of a batch.
        ///
        /// The lock stays held on purpose: `close()` takes the multi away under it, and waking a destroyed one would be
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

    func nextID() -> UInt64 {
        self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }
}

// MARK: Callers, on any thread

extension CommandQueue {
    /// Hands a hop over, or resumes it with the reason why not.
    ///
    /// Call it in the task that waits.
    func submit(_ submission: FetchSubmission) {
        let refusal = self.state.withLock { state -> (any Error)? in
            // `cancel` may have run before us, and then the thread will find nobody by that id. The flag is set before
            // `cancel` is called, so reading it under the lock that `cancel` takes closes that race.
            if Task.isCancelled { return CancellationError() }
            if state.isStopped { return FetchError.shutDown }
            state.post { $0.submissions.append(submission) }
            return nil
        }
        if let refusal { submission.continuation.resume(throwing: refusal) }
    }

    /// Asks for the end of a hop; of no effect when it is over, or not submitted yet.
    func cancel(_ id: UInt64) {
        self.state.withLock { state in
            if !state.isStopped { state.post { $0.cancelledIDs.append(id) } }
        }
    }

    /// Asks the thread to end.
    ///
    /// Nothing is taken in any more.
    func stop() {
        self.state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.post { $0.isStopping = true }
        }
    }
}

// MARK: The fetch thread

extension CommandQueue {
    func takeCommands() -> Commands {
        self.state.withLock { state in
            defer { state.commands = Commands() }
            return state.commands
        }
    }

    /// Lets go of the multi, so that nobody wakes it any more.
    func close() {
        let multi = self.state.withLock { $0.multi.take() }
        // Its deinit closes connections: not under the lock.
        withExtendedLifetime(multi) {}
    }
}
