package import EmbeddedCatalogue
import Logging
import MovieAPI
package import MovieDomain
package import MovieHTTP
import MovieLibrary
package import MovieTesting
package import PosterTesting

/// The services behind account resources: the embedded accounts and app store, and films added by a test.
package struct MovieServicesFixture: Sendable {
    package static let film = MovieID("heat-1995")!

    /// The clock of the services, which starts at second 1 of 1970.
    package let day = ManualClock()
    package let movies = ScriptedMovies()
    package let catalogue: ScriptedCatalogue
    package let favourites = MemoryFavourites()
    package let watchlist = MemoryFavourites()
    package let sessions = MemorySessions()
    package let accounts: EmbeddedAccounts
    private let library: LibraryDatabase
    package var services: MovieServices

    /// - Parameters:
    ///   - films: Number of films in addition to ``film``: `film-1`, `film-2` …
    ///   - pageSize: The catalogue's page size.
    package init(films: Int = 0, pageSize: Int = 20) throws {
        let day = self.day
        let now: @Sendable () -> Instant = { Instant(secondsSince1970: Int64(day.now() / 1_000_000_000)) }
        self.catalogue = ScriptedCatalogue(pageSize: pageSize)
        self.library = try LibraryDatabase()
        self.accounts = EmbeddedAccounts(self.library, publicBase: "", movies: self.movies, now: now)
        self.services = MovieServices(
            sources: MovieRepositories([self.movies], off: [.tmdb: "tmdb-key"]), catalogue: self.catalogue,
            boxOffice: ScriptedBoxOffice(), store: try EmbeddedAppStore(try SharedCatalogue.resource, now: now),
            accounts: self.accounts, approvals: self.accounts, sessions: self.sessions,
            favourites: self.favourites, watchlist: self.watchlist,
            userData: MemoryUserData(
                sessions: self.sessions, favourites: self.favourites, watchlist: self.watchlist), now: now)
        self.add(Self.film, title: "히트", original: "Heat")
        for number in 0..<films { self.add(MovieID("film-\(number + 1)")!, title: "Film \(number + 1)") }
    }

    /// Stores sessions and lists in the accounts' library, as the service does.
    package mutating func storeInLibrary() {
        let (library, key, now) = (self.library, SecretKey(), self.services.now)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        self.services.sessions = SQLiteSessions(library, key: key, logger: logger, now: now)
        self.services.favourites = SQLiteFavourites(library, now: now)
        self.services.watchlist = SQLiteFavourites(library, list: .watchlist, now: now)
        self.services.userData = SQLiteUserData(library, key: key, logger: logger, now: now)
    }

    package func add(_ id: MovieID, title: String, original: String = "") {
        self.movies.add(Movie(summary: MovieSummary(id: id, title: title, originalTitle: original)!))
    }

    package func run(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = settings
        settings.films = self.services
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in try await body(server) }
        }
    }
}
