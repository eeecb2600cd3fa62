import NIOCore
import Synchronization

/// A request whose answer is not written yet. Whatever becomes of it, it is recorded once: when its answer is never
/// written, because the connection has ended, that is when nobody holds it any more.
final class OpenRequest: Sendable {
    private struct State {
        var facts: RequestFacts?
        var bodyLength = 0
    }

    private let recorder: RequestRecorder
    private let start: NIODeadline
    private let state: Mutex<State>

    init(_ recorder: RequestRecorder, _ facts: RequestFacts, start: NIODeadline) {
        self.recorder = recorder
        self.start = start
        self.state = Mutex(State(facts: facts))
        recorder.begin()
    }

    deinit {
        self.end(status: RequestFacts.abandonedStatus)
    }

    /// What is known of it when its answer begins.
    func note(_ change: (inout RequestFacts) -> Void) {
        self.state.withLock { state in
            if state.facts != nil { change(&state.facts!) }
        }
    }

    /// A part of the answer's body has been written.
    func count(_ bytes: Int) {
        self.state.withLock { $0.bodyLength += bytes }
    }

    /// Nothing more comes. Of no effect when that was said before.
    ///
    /// - Parameters:
    ///   - status: In place of the answer's.
    ///   - bodyLength: In place of what was counted.
    func end(status: Int? = nil, bodyLength: Int? = nil) {
        let ended = self.state.withLock { state -> RequestFacts? in
            guard var facts = state.facts else { return nil }
            state.facts = nil
            facts.bodyLength = bodyLength ?? state.bodyLength
            if let status { facts.status = status }
            return facts
        }
        guard var facts = ended else { return }
        facts.duration = .now() - self.start
        self.recorder.end(facts)
    }
}
