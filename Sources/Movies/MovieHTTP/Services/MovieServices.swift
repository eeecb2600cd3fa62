package import Cryptography
package import HTTPServer
package import MovieDomain

/// The repositories and settings that the resources about movies use.
package struct MovieServices: Sendable {
    /// Single films, by source.
    package var sources: MovieRepositories
    /// Lists and search.
    package var catalogue: any MovieCatalogue
    /// Single people; has no source by default.
    package var showPerson = ShowPerson([])
    /// Search for people; `nil` if the source has none.
    package var personCatalogue: (any PersonCatalogue)?
    /// Collections of films; has no source by default.
    package var showCollection = ShowCollection([])
    package var boxOffice: any BoxOfficeRepository
    package var store: any AppStoreRepository
    /// Add facts to films of other sources, in order of precedence.
    package var supplements: [any SupplementRepository]
    /// Maps films between sources; `nil` disables it.
    package var identities: FilmIdentities?
    /// Finds the films of ids such as `imdb:tt0111161`; `nil` disables these ids.
    package var findByIMDbTitle: FindByIMDbTitle?
    /// Finds series, and films by ids of other sites; `nil` without a source of series.
    package var series: (any SeriesRepository)?
    /// The source at which users sign in.
    package var accounts: any AccountRepository
    /// Approves sign-ins; `nil` if the source has its own page for that.
    package var approvals: (any ApprovalHandler)?
    package var sessions: any SessionRepository
    /// The key of tokens in forms; the default is random.
    package var formTokenKey = SymmetricKey()
    package var favourites: any FavouriteRepository
    /// The films of watchlists stored here.
    package var watchlist: any FavouriteRepository
    /// Exports and erases the stored data of a user.
    package var userData: any UserDataRepository
    /// Decides on films' posters; `nil` uses the posters of the films' own sources.
    package var posters: (any PosterDecider)?
    /// Whether a film without a poster at its own source is known to have none at others.
    package var isPosterless: @Sendable (MovieID) -> Bool = { _ in false }
    /// Called with the films, language and path of every served list, and the client; `nil` disables it.
    package var listServed:
        (@Sendable (_ films: [MovieID], _ language: Language, _ path: String, _ client: String) -> Void)?
    /// The lifetime of sessions, in seconds; 30 days by default.
    package var sessionSeconds: Int64 = SignIn.defaultLifetimeSeconds
    /// The time to live of cached responses to anonymous clients; zero, the default, caches none.
    package var sharedResponseLifetime: Duration = .zero
    /// Limits the rate of new devices and sign-in requests per client; `nil` disables the limit.
    package var newcomers: SignUpRateLimiter?
    /// Moves films of a watchlist to the source of its account; the default moves none.
    package var startMoving: SavedFilms.Starter = { _, _ in }
    /// The language of clients that request none.
    package var defaultLanguage: Language
    /// The country of lists, releases and offers for clients that request none; `nil` leaves the choice to the sources.
    package var defaultRegion: Country?
    package var now: @Sendable () -> Instant

    package init(
        sources: MovieRepositories, catalogue: any MovieCatalogue, boxOffice: any BoxOfficeRepository,
        store: any AppStoreRepository, supplements: [any SupplementRepository] = [],
        accounts: any AccountRepository, approvals: (any ApprovalHandler)? = nil, sessions: any SessionRepository,
        favourites: any FavouriteRepository, watchlist: any FavouriteRepository, userData: any UserDataRepository,
        defaultLanguage: Language = .english,
        now: @escaping @Sendable () -> Instant
    ) {
        self.sources = sources
        self.catalogue = catalogue
        self.boxOffice = boxOffice
        self.store = store
        self.supplements = supplements
        self.accounts = accounts
        self.approvals = approvals
        self.sessions = sessions
        self.favourites = favourites
        self.watchlist = watchlist
        self.userData = userData
        self.defaultLanguage = defaultLanguage
        self.now = now
    }

    package var showMovie: ShowMovie {
        ShowMovie(sources: self.sources, supplements: self.supplements, identities: self.identities)
    }
}
