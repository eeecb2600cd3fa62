public import MovieDomain

/// Accounts that are switched off.
public struct UnusedAccounts: AccountRepository {
    /// That of the embedded catalogue.
    public let source = MovieSource.embedded

    /// Nobody's.
    public init() {}

    /// Fails.
    public func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        throw self.failure
    }

    /// Fails.
    public func session(for requestToken: String) async throws -> UpstreamSession { throw self.failure }

    /// Fails.
    public func end(_ session: UpstreamSession) async throws { throw self.failure }

    /// Fails.
    public func account(of session: UpstreamSession) async throws -> Account { throw self.failure }

    /// Fails.
    public func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        throw self.failure
    }

    /// Fails.
    public func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool { throw self.failure }

    /// Fails.
    public func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating? { throw self.failure }

    /// Fails.
    public func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        throw self.failure
    }

    private var failure: SourceFailure { .off(self.source, option: "") }
}
