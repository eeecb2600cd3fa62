public import MovieDomain
import Synchronization

/// Sessions in memory.
public final class MemorySessions: SessionRepository {
    private let sessions = Mutex<[AccessToken: Session]>([:])

    /// None.
    public init() {}

    /// How many are kept, over or not.
    public var count: Int { self.sessions.withLock { $0.count } }

    /// Keeps a session under a token.
    public func keep(_ session: Session, under token: AccessToken) async throws {
        self.sessions.withLock { $0[token] = session }
    }

    /// nil when there is none, or when it has expired at `now`.
    public func session(under token: AccessToken, at now: Instant) async throws -> Session? {
        self.sessions.withLock { $0[token] }.flatMap { now < $0.expiresAt ? $0 : nil }
    }

    /// Of no effect when there is none.
    public func end(_ token: AccessToken, at now: Instant) async throws -> Session? {
        self.sessions.withLock { $0.removeValue(forKey: token) }.flatMap { now < $0.expiresAt ? $0 : nil }
    }
}
