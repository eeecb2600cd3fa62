import MovieDomain
import MovieHTTP
import PosterTesting
import UpstreamClient

@testable import MovieCompatibility
@testable import MovieSources
@testable import OneSheetServer

/// The service with a key of The Movie Database and replayed responses.
struct ReplayedFixture: Sendable {
    let upstream: ReplayingUpstream
    let source: TMDBDocumentSource
    let services: MovieServices

    init(_ upstream: ReplayingUpstream) throws {
        self.upstream = upstream
        self.source = try Self.source(upstream)
        let tmdb = self.source.tmdb
        let fixture = try CatalogueFixture.common
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

    /// A source that passes on an upstream's responses, at 2026-05-28T20:26:40Z.
    static func source(_ upstream: ReplayingUpstream) throws -> TMDBDocumentSource {
        let environment = try UpstreamClient.Environment.replaying { Instant(secondsSince1970: 1_780_000_000) }
        return TMDBDocumentSource(
            tmdb: TMDB(key: "key-of-tmdb", baseURL: upstream.baseURL + "/3", in: environment))
    }

    func run(_ body: @escaping @Sendable (TMDBClient) async throws -> Void) async throws {
        try await TMDBClient.run(self.services, upstream: self.source, body)
    }
}
