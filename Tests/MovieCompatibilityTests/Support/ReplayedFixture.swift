import MovieDomain
import MovieHTTP
import PosterTesting
import UpstreamClient

@testable import MovieCompatibility
@testable import MovieSources
@testable import OneSheetServer

/// The service with a key of The Movie Database, whose responses are replayed.
struct ReplayedFixture: Sendable {
    /// 2026-05-28T20:26:40Z.
    let clock = ManualTimeOfDay(1_780_000_000)
    let upstream: ReplayingUpstream
    let source: TMDBDocumentSource
    let services: MovieServices

    init(_ upstream: ReplayingUpstream) throws {
        let environment = try UpstreamClient.Environment.replaying(self.clock.now)
        let tmdb = TMDB(key: "key-of-tmdb", baseURL: upstream.baseURL + "/3", in: environment)
        self.upstream = upstream
        self.source = TMDBDocumentSource(tmdb: tmdb)
        let fixture = try CatalogueFixture()
        var services = fixture.services
        services.sources = MovieRepositories([tmdb.movies])
        services.catalogue = tmdb.catalogue
        services.accounts = tmdb.accounts
        services.approvals = nil
        services.showPerson = ShowPerson([tmdb.people])
        services.personCatalogue = tmdb.people
        services.showCollection = ShowCollection([tmdb.collections])
        self.services = services
    }

    func run(_ body: @escaping @Sendable (TMDBClient) async throws -> Void) async throws {
        try await TMDBClient.run(self.services, upstream: self.source, body)
    }
}
