/// Keeps sessions: their tokens hashed, upstream secrets encrypted.
///
/// Every function throws ``StorageFailure``, or `CancellationError`.
public protocol SessionRepository: Sendable {
    /// Keeps a session under a token.
    func keep(_ session: Session, under token: AccessToken) async throws

    /// nil when there is none, or when it has expired at `now`.
    func session(under token: AccessToken, at now: Instant) async throws -> Session?

    /// Of no effect when there is none.
    ///
    /// - Returns: What it was, unless it had expired.
    func end(_ token: AccessToken, at now: Instant) async throws -> Session?
}

/// What should be kept cannot be.
public struct StorageFailure: Error, Hashable, Sendable {
    /// For logs.
    public let reason: String

    /// What should be kept cannot be.
    public init(reason: String) {
        self.reason = reason
    }
}
