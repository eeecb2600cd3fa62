import MovieDomain

/// Accounts that are not configured: every call fails.
struct UnusedAccounts: AccountRepository {
    let source = MovieSource.embedded

    init() {}

    func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        throw self.failure
    }

    func session(for requestToken: String) async throws -> UpstreamSession { throw self.failure }

    func end(_ session: UpstreamSession) async throws { throw self.failure }

    func account(of session: UpstreamSession) async throws -> Account { throw self.failure }

    func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        throw self.failure
    }

    func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool { throw self.failure }

    func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating? { throw self.failure }

    func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]? {
        throw self.failure
    }

    func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        throw self.failure
    }

    private var failure: SourceFailure { .off(self.source, option: "") }
}
