import EmbeddedCatalogue
import HTTPSemantics
import MovieDomain
import MovieHTTP
import MovieLibrary
import MovieTesting
import PosterTesting
import ServiceTesting

@testable import MovieCompatibility

/// The service with the embedded catalogue and its accounts, without keys.
struct CatalogueFixture: Sendable {
    static let film = MovieID("nosferatu-1922")!

    private static let shared = Result { try CatalogueFixture() }

    /// Shared by all tests: importing the catalogue takes long, and each client has its own account.
    static var common: CatalogueFixture { get throws { try Self.shared.get() } }

    /// 2026-05-28T20:26:40Z.
    let clock = ManualTimeOfDay(1_780_000_000)
    var services: MovieServices

    private init() throws {
        let library = try LibraryDatabase()
        let films = CatalogueDatabase(library)
        let resource = try SharedCatalogue.resource
        try films.importCatalogue(resource)
        let (movies, people) = (EmbeddedMovies(films), EmbeddedPeople(films))
        let now = self.clock.now
        let accounts = EmbeddedAccounts(library, publicBase: "", movies: movies, now: now)
        self.services = MovieServices(
            sources: MovieRepositories([movies], off: [.tmdb: "--tmdb-key"]),
            catalogue: EmbeddedMovieCatalogue(films, now: now), boxOffice: EmbeddedBoxOffice(films, now: now),
            store: try EmbeddedAppStore(resource, now: now), accounts: accounts, approvals: accounts,
            sessions: MemorySessions(), favourites: MemoryFavourites(), watchlist: MemoryFavourites(),
            userData: MemoryUserData(), now: now)
        self.services.showPerson = ShowPerson([people])
        self.services.personCatalogue = people
    }

    /// A response generated from the domain.
    func document(_ target: String) async throws -> OrderedJSON {
        let request = try TMDBRequest(RequestTarget("/compat/tmdb/3/\(target)"))
        let documents = TMDBCatalogueDocuments(
            services: self.services, numbers: TMDBNumberTable(self.services), timeZones: try TMDBTimeZones())
        return try await documents.document(
            try TMDBResource(request.path), for: request, imageBase: "http://localhost/t/p/")
    }

    /// Runs the service with all APIs.
    func serve(keys: ClientKeys = .any, _ body: @escaping @Sendable (LiveServer) async throws -> Void) async throws {
        var settings = LiveServer.Settings.compatible(keys: keys)
        settings.films = self.services
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in try await body(server) }
        }
    }

    /// Runs the service with The Movie Database's API.
    ///
    /// - Parameter keys: Keys of clients.
    func run(
        keys: ClientKeys = .any, _ body: @escaping @Sendable (TMDBClient) async throws -> Void
    ) async throws {
        try await TMDBClient.run(self.services, upstream: nil, keys: keys, body)
    }
}
