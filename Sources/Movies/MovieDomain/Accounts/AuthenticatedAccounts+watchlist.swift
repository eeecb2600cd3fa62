/// Operations on watchlists that are stored at the accounts' source.
extension AuthenticatedAccounts {
    /// Whether the session's account has a watchlist at its source.
    func hasWatchlist(_ holder: AuthenticatedSession) -> Bool {
        self.accounts.hasWatchlists && holder.session.upstream?.source == self.accounts.source
    }

    /// The film's id at the accounts' source, for its watchlist.
    ///
    /// - Returns: `nil` if the source's id is not known, or the session has no watchlist there.
    func watchlistID(of id: MovieID, for holder: AuthenticatedSession) async throws -> MovieID? {
        guard self.hasWatchlist(holder) else { return nil }
        return try await self.storedIDs(of: [id])[id]
    }

    func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, for holder: AuthenticatedSession
    ) async throws -> WatchlistChange {
        try await self.perform(for: holder) { try await self.accounts.setOnWatchlist(id, isOn, with: $0) }
    }

    /// A page of the watchlist at the source, the latest films first.
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

    /// The films among `ids` that are on the watchlist at the source, under their own id or their counterpart's.
    ///
    /// - Returns: `nil` while the watchlist is still unknown; empty for sessions without a watchlist at the source.
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
