package import EmbeddedCatalogue
import Logging
package import MovieAPI
package import MovieDomain
package import MovieHTTP
import MovieLibrary
package import PosterTesting

/// What the resources of accounts answer from: the embedded accounts and store, and films of a test's own.
package struct MovieServicesFixture: Sendable {
    package static let film = MovieID("heat-1995")!

    /// In seconds since 1970, it begins with the second one.
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
    ///   - films: How many there are beside ``film``: `film-1`, `film-2` …
    ///   - pageSize: Of the catalogue.
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

    /// Stores sessions and lists in the library of the accounts, as the service does.
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

    /// Runs the service with it.
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
