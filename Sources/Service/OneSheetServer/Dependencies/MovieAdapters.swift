import EmbeddedCatalogue
import Foundation
import HTTPFetch
import MovieCompatibility
import MovieDomain
import MovieLibrary
import MovieLibraryPostgres
import MovieSources
import OneSheetConfiguration
import UpstreamClient

/// The configured adapters of the film domain's repositories; the embedded catalogue replaces missing ones.
struct MovieAdapters {
    let movies: MovieRepositories
    let catalogue: any MovieCatalogue
    let people: ShowPerson
    let personCatalogue: any PersonCatalogue
    let collections: ShowCollection
    let boxOffice: any BoxOfficeRepository
    let store: any AppStoreRepository
    /// Sources of scores, in order of precedence.
    let supplements: [any SupplementRepository]
    let accounts: any AccountRepository
    /// `nil` if users approve on the vendor's page.
    let approvals: (any ApprovalHandler)?
    /// Repositories of sources' pictures of their own films and apps.
    let pictures: [any SourcePictureRepository]
    /// Finders of posters for films of other sources, in the order of use.
    let finders: [any PosterFinder]
    /// Finds the counterparts of other sources' films; `nil` without TMDB.
    let counterparts: (any FilmFinder)?
    let findByIMDbTitle: FindByIMDbTitle
    /// `nil` without TMDB.
    let series: (any SeriesRepository)?
    /// The options that would enable the missing sources.
    let off: [MovieSource: String]
    /// The unmodified responses of sources that have a key or need none.
    let documents: CompatibleUpstreams
    private let clients: UpstreamClients

    struct Context {
        let films: CatalogueDatabase
        let catalogue: CatalogueResource
        /// The database that nodes share; `nil` uses the node's own file.
        let shared: PostgresLibrary?
        let upstreams: UpstreamClient.Environment

        var now: @Sendable () -> Instant { self.upstreams.now }
    }

    init(_ settings: SourceSettings, _ context: Context) throws {
        let clients = UpstreamClients(settings, in: context.upstreams)
        let embedded = EmbeddedMovies(context.films)
        let local: any AccountRepository & ApprovalHandler =
            if let shared = context.shared {
                PostgresGuests(shared, publicBase: "", movies: embedded, now: context.now)
            } else {
                EmbeddedAccounts(context.films.library, publicBase: "", movies: embedded, now: context.now)
            }
        let embeddedStore = try EmbeddedAppStore(context.catalogue, now: context.now)
        let tmdb = clients.tmdb
        let listed = KOBISListedFilms()

        var repositories: [any MovieRepository] = [embedded]
        var pictures: [any SourcePictureRepository] = [
            MoviePictureRepository(embedded), AppPictureRepository(embeddedStore),
        ]
        var finders: [any PosterFinder] = []
        if let tmdb {
            repositories.append(tmdb.movies)
            pictures.append(
                MoviePictureRepository(
                    tmdb.movies, shortcut: { try await tmdb.posters.poster(of: $0) },
                    renewal: { try await tmdb.posters.refreshedPoster(of: $0) },
                    choose: { try await tmdb.posters.poster(of: $0, as: $1) },
                    renewChoice: { try await tmdb.posters.refreshedPoster(of: $0, as: $1) }))
            finders.append(tmdb.posters)
        }
        if let kobis = clients.kobis {
            repositories.append(KOBISMovies(kobis))
            pictures.append(MoviePictureRepository(KOBISMovies(kobis), listed: { listed.terms(for: $0) }))
        }
        if let kmdb = clients.kmdb {
            repositories.append(KMDbMovies(kmdb))
            pictures.append(MoviePictureRepository(KMDbMovies(kmdb)))
            finders.append(KMDbPosters(kmdb))
        }
        if let kakao = clients.kakao { finders.append(KakaoPosters(kakao)) }
        if let omdb = clients.omdb {
            repositories.append(OMDbMovies(omdb))
            pictures.append(MoviePictureRepository(OMDbMovies(omdb)))
        }
        if let (client, country) = clients.iTunes {
            let store = ITunesAppStore(client, country: country)
            let films = ITunesMovies(client, country: country)
            repositories.append(films)
            pictures += [AppPictureRepository(store), MoviePictureRepository(films)]
            self.store = store
        } else {
            self.store = embeddedStore
        }
        self.off = Self.off(settings)
        self.findByIMDbTitle = FindByIMDbTitle(
            finder: tmdb?.movies, hasOMDb: clients.omdb != nil, option: self.off[.tmdb] ?? "")
        self.series = tmdb?.series
        self.movies = MovieRepositories(repositories, off: self.off)
        self.catalogue = tmdb?.catalogue ?? EmbeddedMovieCatalogue(context.films, now: context.now)
        let people = EmbeddedPeople(context.films)
        let peopleOfAll: [(any PersonRepository)?] = [people, tmdb?.people]
        self.people = ShowPerson(peopleOfAll.compactMap { $0 }, off: self.off)
        self.personCatalogue = tmdb?.people ?? people
        self.collections = ShowCollection([tmdb?.collections].compactMap { $0 }, off: self.off)
        self.boxOffice =
            clients.kobis.map { KOBISBoxOffice($0, area: settings.boxOfficeArea, listed: listed) }
            ?? EmbeddedBoxOffice(context.films, now: context.now)
        let supplements: [(any SupplementRepository)?] = [
            clients.omdb.map { OMDbSupplements($0) }, clients.mdblist.map { MDBListSupplements($0) },
        ]
        self.supplements = supplements.compactMap { $0 }
        self.accounts = tmdb?.accounts ?? local
        self.approvals = tmdb == nil ? local : nil
        self.pictures = pictures
        self.documents = CompatibleUpstreams(
            tmdb: tmdb.map { TMDBDocumentSource(tmdb: $0) },
            kobis: clients.kobis.map { ClientDocuments($0) }, iTunes: clients.iTunes.map { ClientDocuments($0.0) },
            kakao: clients.kakao.map { ClientDocuments($0) }, omdb: clients.omdb.map { ClientDocuments($0) })
        self.clients = clients
        self.finders = finders
        self.counterparts = tmdb?.posters
    }

    /// - Throws: `CancellationError`.
    func usage() async throws -> [UpstreamUsage] { try await self.clients.usage() }

    /// Cancels requests without a waiting client, and starts no further ones.
    func close() { self.clients.close() }

    static func off(_ settings: SourceSettings) -> [MovieSource: String] {
        var off = SourceOptions.keyOptions.filter { settings.keys[$0.key] == nil }
        if settings.storeCountry == nil { off[.itunes] = SourceSettings.storeOption }
        return off.mapValues { "--\($0)" }
    }
}
