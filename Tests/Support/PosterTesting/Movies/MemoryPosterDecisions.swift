public import MovieDomain
import Synchronization

/// Decisions about posters in memory.
public final class MemoryPosterDecisions: PosterDecisionRepository {
    private let decisions = Mutex<[MovieID: (decision: PosterDecision, expiresAt: Instant)]>([:])

    /// None.
    public init() {}

    /// How many are kept, expired ones too.
    public var count: Int { self.decisions.withLock { $0.count } }

    /// Until when a decision holds; nil when there is none.
    public func expiry(of id: MovieID) -> Instant? {
        self.decisions.withLock { $0[id]?.expiresAt }
    }

    /// nil when nothing was decided, or too long ago.
    public func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision? {
        self.decisions.withLock { $0[id].flatMap { now < $0.expiresAt ? $0.decision : nil } }
    }

    /// Keeps a decision.
    public func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws {
        self.decisions.withLock { $0[id] = (decision, expiresAt) }
    }

    /// Forgets a decision.
    public func forget(_ id: MovieID) async throws {
        self.decisions.withLock { $0[id] = nil }
    }
}
