/// The watchlists of accounts at sources that keep them.
extension AuthenticatedAccounts {
    /// Whether the session is of an account with a watchlist at its source.
    func hasWatchlist(_ holder: AuthenticatedSession) -> Bool {
        self.accounts.hasWatchlists && holder.session.upstream?.source == self.accounts.source
    }

    /// The id under which the account's watchlist at its source can have a film.
    ///
    /// - Returns: nil for a film that is not known there, and for sessions without such a list.
    func watchlistID(of id: MovieID, for holder: AuthenticatedSession) async throws -> MovieID? {
        guard self.hasWatchlist(holder) else { return nil }
        return try await self.storedIDs(of: [id])[id]
    }

    func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, for holder: AuthenticatedSession
    ) async throws -> WatchlistChange {
        try await self.perform(for: holder) { try await self.accounts.setOnWatchlist(id, isOn, with: $0) }
    }

    /// A page of the films at the source, the latest first.
    func watchlist(
        page: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<MovieSummary> {
        try await self.perform(for: holder) {
            try await self.accounts.watchlist(page: page, language: language, with: $0)
        }
    }

    func isOnWatchlist(_ id: MovieID, for holder: AuthenticatedSession) async throws -> Bool {
        try await self.perform(for: holder) { try await self.accounts.isOnWatchlist(id, with: $0) }
    }

    /// Those films of `ids` that are on the watchlist at the source, themselves or as their counterparts.
    ///
    /// - Returns: nil while they are not known; none for sessions without such a list.
    func watchlistIDs(among ids: [MovieID], for holder: AuthenticatedSession) async throws -> Set<MovieID>? {
        guard self.hasWatchlist(holder) else { return [] }
        return try await self.perform(for: holder) { session in
            let sourceIDs = try await self.storedIDs(of: ids)
            guard !sourceIDs.isEmpty else { return [] }
            let found = try await self.accounts.watchlistIDs(among: Array(Set(sourceIDs.values)), with: session)
            return found.map { found in Set(ids.filter { sourceIDs[$0].map(found.contains) ?? false }) }
        }
    }
}
