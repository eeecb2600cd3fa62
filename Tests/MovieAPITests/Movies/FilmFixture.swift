import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting

@testable import MovieAPI
@testable import PosterAPI

/// The film `film-1` by its IMDb title.
private struct OneTitle: IMDbTitleFinder {
    func film(ofIMDbTitle title: String) async throws -> MovieID? {
        title == "tt0133093" ? MovieID("film-1") : nil
    }
}

/// Scripted film sources and the services that use them.
final class FilmFixture: Sendable {
    /// Noon of a Sunday in Greenwich, evening of the same day in Seoul.
    static let sunday = Instant(secondsSince1970: 1_714_910_400)  // 2024-05-05T12:00:00Z

    let catalogue: ScriptedCatalogue
    let movies: ScriptedMovies
    let boxOffice: ScriptedBoxOffice
    let favourites = MemoryFavourites()
    let supplements: ScriptedSupplements
    private let people: ScriptedPeople?
    let collections = ScriptedPeople(source: .tmdb)
    private let region: Country?
    private let served: (@Sendable ([MovieID], Language, String, String) -> Void)?

    init(
        catalogue: ScriptedCatalogue = ScriptedCatalogue(), movies: ScriptedMovies = ScriptedMovies(),
        boxOffice: ScriptedBoxOffice = ScriptedBoxOffice(),
        supplements: [String: Result<MovieSupplement, SourceFailure>] = [:], people: ScriptedPeople? = nil,
        region: Country? = nil,
        served: (@Sendable ([MovieID], Language, String, String) -> Void)? = nil
    ) {
        self.catalogue = catalogue
        self.movies = movies
        self.boxOffice = boxOffice
        self.supplements = ScriptedSupplements(supplements)
        self.people = people
        self.region = region
        self.served = served
    }

    var services: MovieServices {
        var services = MovieServices(
            sources: MovieRepositories([self.movies], off: [.tmdb: "--tmdb-key"]), catalogue: self.catalogue,
            boxOffice: self.boxOffice, store: UnusedStore(), supplements: [self.supplements],
            accounts: UnusedAccounts(), sessions: MemorySessions(), favourites: self.favourites,
            watchlist: MemoryFavourites(), userData: MemoryUserData(), now: { Self.sunday })
        services.findByIMDbTitle = FindByIMDbTitle(finder: OneTitle(), hasOMDb: false, option: "--tmdb-key")
        if let people = self.people {
            services.showPerson = ShowPerson([people], off: [.embedded: "--embedded"])
            services.personCatalogue = people
        }
        services.defaultRegion = self.region
        services.listServed = self.served
        services.showCollection = ShowCollection([self.collections])
        return services
    }

    func serve(
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

    /// Films of the embedded catalogue: `film-1`, `film-2`…
    static func films(_ count: Int) throws -> [MovieSummary] {
        try (1...count).map { try Self.film("film-\($0)") }
    }

    static func film(_ id: String, overview: String = "") throws -> MovieSummary {
        guard let id = MovieID(id), let film = MovieSummary(id: id, title: "Film \(id.key)", overview: overview) else {
            throw NoFilm()
        }
        return film
    }

    struct NoFilm: Error {}
}
