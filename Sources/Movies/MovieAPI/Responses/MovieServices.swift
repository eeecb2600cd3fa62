public import HTTPServer
public import MovieDomain
public import PosterAPI

/// What the resources about films answer from.
public struct MovieServices: Sendable {
    /// Single films, by source.
    public var sources: MovieRepositories
    /// Lists and search.
    public var catalogue: any MovieCatalogue
    /// What people went to see.
    public var boxOffice: any BoxOfficeRepository
    /// Apps.
    public var store: any StoreRepository
    /// Adds to what others tell; nil for nobody.
    public var supplements: (any SupplementRepository)?
    /// Where people sign in.
    public var accounts: any AccountRepository
    /// Where they approve of that; nil when it is somebody else's page.
    public var approvals: (any ApprovalHandler)?
    /// Who holds which token.
    public var sessions: any SessionRepository
    /// Who likes what.
    public var favourites: any FavouriteRepository
    /// Tells which poster a film has, and why; nil for their own sources' posters alone.
    public var posters: (any PosterDecider)?
    /// Whether it is known that nobody has a poster of it.
    public var isPosterless: @Sendable (MovieID) -> Bool = { _ in false }
    /// Is told of lists that were answered with, to have their posters ready; nil when nobody wants to know.
    public var listServed: (@Sendable (ServedList) -> Void)?
    /// For how long whoever has signed in need not do it again, in seconds: 30 days by default.
    public var sessionSeconds: Int64 = CompleteSignIn.defaultLifetimeSeconds
    /// For how long what anybody was answered is answered again, without asking: nothing by default.
    public var responseCacheLifetime: Duration = .zero
    /// Bounds new devices and wishes to sign in; nil takes in everybody.
    public var newcomers: SignUpRateLimiter?
    /// For whoever does not say what they read.
    public var defaultLanguage: Language
    /// The time of day.
    public var now: @Sendable () -> Instant

    /// What the resources about films answer from.
    public init(
        sources: MovieRepositories, catalogue: any MovieCatalogue, boxOffice: any BoxOfficeRepository,
        store: any StoreRepository, supplements: (any SupplementRepository)? = nil,
        accounts: any AccountRepository, approvals: (any ApprovalHandler)? = nil, sessions: any SessionRepository,
        favourites: any FavouriteRepository, defaultLanguage: Language = .korean,
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
        self.defaultLanguage = defaultLanguage
        self.now = now
    }
}
