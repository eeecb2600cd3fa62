package import HTTPServer
package import MovieDomain

/// The use cases shared by resources and pages.
package struct MovieUseCases: Sendable {
    package let services: MovieServices
    /// The URL at which clients reach the server; `nil` if not configured.
    package let publicURL: PublicURL?
    package let authenticator: SessionAuthenticator
    package let accounts: AuthenticatedAccounts

    package init(_ services: MovieServices, publicURL: PublicURL?) {
        self.services = services
        self.publicURL = publicURL
        self.authenticator = SessionAuthenticator(
            sessions: services.sessions,
            renew: RenewSession(
                accounts: services.accounts, sessions: services.sessions, lifetimeSeconds: services.sessionSeconds,
                now: services.now),
            site: SiteOrigin(publicURL), now: services.now)
        self.accounts = AuthenticatedAccounts(
            accounts: services.accounts, sessions: services.sessions, identities: services.identities,
            now: services.now)
    }

    package var favourites: SavedFilms {
        SavedFilms(
            self.services.favourites, sources: self.services.sources, identities: self.services.identities,
            now: self.services.now)
    }

    package var watchlist: SavedFilms {
        SavedFilms(
            self.services.watchlist, sources: self.services.sources, identities: self.services.identities,
            accounts: self.accounts, now: self.services.now, start: self.services.startMoving)
    }

    package var eraseUserData: EraseUserData {
        EraseUserData(
            self.services.userData, accounts: self.services.accounts, sessions: self.services.sessions,
            now: self.services.now)
    }

    package var showMarks: ShowMarks {
        ShowMarks(favourites: self.services.favourites, watchlist: self.services.watchlist, accounts: self.accounts)
    }

    /// The marks of films. A request to the source is cancelled when the client disconnects. The library is queried
    /// directly: starting a task that can be cancelled would take as long as the query.
    package func marks(
        of ids: [MovieID], for session: AuthenticatedSession, _ context: ServerRequestContext
    ) async throws -> [MovieID: Marks] {
        let showMarks = self.showMarks
        guard showMarks.asksSource(for: session) else { return try await showMarks(ids, for: session) }
        return try await context.whileClientPresent { try await showMarks(ids, for: session) }
    }

    package var showBoxOffice: ShowBoxOffice {
        ShowBoxOffice(boxOffice: self.services.boxOffice, now: self.services.now)
    }
}
