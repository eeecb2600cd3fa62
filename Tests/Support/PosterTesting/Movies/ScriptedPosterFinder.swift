public import MovieDomain
import Synchronization

/// Offers the posters that a test says, or fails; a gate can hold it up.
public final class ScriptedPosterFinder: PosterFinder {
    private struct State {
        var outcome: Result<[PosterCandidate], SourceFailure>
        var questions = 0
    }

    /// Who offers.
    public let source: MovieSource
    private let gate: Gate?
    private let state: Mutex<State>

    /// - Parameter gate: Answers wait for it; nil answers at once.
    public init(_ source: MovieSource, _ candidates: [PosterCandidate] = [], gate: Gate? = nil) {
        self.source = source
        self.gate = gate
        self.state = Mutex(State(outcome: .success(candidates)))
    }

    /// What it says from now on.
    public func set(_ outcome: Result<[PosterCandidate], SourceFailure>) {
        self.state.withLock { $0.outcome = outcome }
    }

    /// How often it was asked.
    public var questionCount: Int { self.state.withLock { $0.questions } }

    /// As it was set.
    public func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        let outcome = self.state.withLock { state in
            state.questions += 1
            return state.outcome
        }
        try await self.gate?.wait()
        return try outcome.get()
    }
}
