import Logging
import MovieDomain
import MovieLibrary
import MovieLibraryPostgres
import PosterAPI

/// The repositories of user data, of links between films and of poster decisions, in a database that nodes share or in
/// the node's own files.
struct LibraryStores {
    let sessions: any SessionRepository
    let favourites: any FavouriteRepository
    let watchlist: any FavouriteRepository
    let userData: any UserDataRepository
    let links: any FilmLinkRepository
    let decisions: any PosterDecisionRepository

    /// - Parameters:
    ///   - shared: `nil` uses the node's own files.
    ///   - ownDecisions: The node's own poster decisions; `nil` if `shared` is set.
    ///   - now: The time of day.
    init(
        shared: PostgresLibrary?, own: LibraryDatabase, ownDecisions: SQLitePosterDecisions?, key: SecretKey,
        _ logger: Logger, _ now: @escaping @Sendable () -> Instant
    ) {
        if let shared {
            self.sessions = PostgresSessions(shared, key: key, now: now)
            self.favourites = PostgresFavourites(shared, now: now)
            self.watchlist = PostgresFavourites(shared, list: .watchlist, now: now)
            self.userData = PostgresUserData(shared, key: key, now: now)
            self.links = PostgresFilmLinks(shared, now: now)
            self.decisions = PostgresPosterDecisions(shared)
        } else {
            self.sessions = SQLiteSessions(own, key: key, logger: logger, now: now)
            self.favourites = SQLiteFavourites(own, now: now)
            self.watchlist = SQLiteFavourites(own, list: .watchlist, now: now)
            self.userData = SQLiteUserData(own, key: key, logger: logger, now: now)
            self.links = SQLiteFilmLinks(own)
            self.decisions = ownDecisions ?? SQLitePosterDecisions(logger: logger)
        }
    }
}

extension ServiceStatus.LibraryServer {
    init(_ state: PostgresLibrary.ServerState) {
        self.init(
            breaker: state.breaker, retryAfter: state.retryAfter, fault: state.fault, used: state.used,
            waiting: state.waiting)
    }
}
