/// Moves stored films of a watchlist to the watchlist at the account's source.
extension SavedFilms {
    /// The limit of films per move, with one request each.
    package static let moveLimit = 20

    /// Moves stored films that the account's source has to the watchlist there, in the background. The oldest are moved
    /// first, which preserves the order. Films that the source refuses stay here.
    package func moveToSource(for holder: AuthenticatedSession) {
        guard let accounts = self.accounts, accounts.hasWatchlist(holder) else { return }
        self.start(holder.favouritesOwner) {
            // The source's client and the repository log failures. The next move retries the remaining films.
            try? await self.move(of: holder, to: accounts)
        }
    }

    private func move(of holder: AuthenticatedSession, to accounts: AuthenticatedAccounts) async throws {
        let owner = holder.favouritesOwner
        let size = Favourite.pageSize
        var count = 0
        var number = try await self.films.favourites(of: owner, page: 1, size: size).totalPages
        while number > 0, count < Self.moveLimit {
            // From the last page to the first: removals do not shift pages that are still to be read.
            let page = try await self.films.favourites(of: owner, page: number, size: size)
            let ids = page.results.map(\.movie.id)
            let sourceIDs = try await accounts.storedIDs(of: ids)
            for id in ids.reversed() where count < Self.moveLimit {
                // The user may have removed the film meanwhile.
                guard let sourceID = sourceIDs[id], try await self.films.favourite(id, of: owner) != nil else {
                    continue
                }
                count += 1
                if case .done = try await accounts.setOnWatchlist(sourceID, true, for: holder) {
                    try await self.films.remove(id, of: owner)
                }
            }
            number -= 1
        }
    }
}

/// Maps a page of a list that is followed by a list at a source to the latter's pages.
struct SourceWindow: Hashable, Sendable {
    private static let size = Favourite.pageSize

    private let number: Int
    /// The number of rows of ``firstPage`` that belong to earlier pages.
    private let skippedCount: Int
    /// The number of the source's rows on this page.
    private let count: Int
    /// The first page to request from the source.
    let firstPage: Int

    /// - Parameters:
    ///   - page: From 1.
    ///   - before: The number of rows of the list before it.
    init(page: Int, behind before: Int) {
        self.number = page
        // Prevents overflow; no list is that long.
        let start = min(page - 1, Int.max / Self.size - 1) * Self.size
        self.count = Self.size - min(max(0, before - start), Self.size)
        let offset = max(0, start - before)
        self.firstPage = offset / Self.size + 1
        self.skippedCount = offset % Self.size
    }

    var needsNextPage: Bool { self.skippedCount + self.count > Self.size }

    func rows(_ first: [MovieSummary], _ next: [MovieSummary]) -> [MovieSummary] {
        let ofFirst = first.dropFirst(self.skippedCount).prefix(self.count)
        return Array(ofFirst) + next.prefix(max(0, self.skippedCount + self.count - Self.size))
    }

    /// - Parameter others: A page of the list at the source; it may count films that its pages cannot reach.
    func page(_ results: [SavedFilm], stored: Int, others: Page<MovieSummary>) -> Page<SavedFilm> {
        let reachable = stored + min(others.totalResults, others.totalPages * Self.size)
        return Page(
            number: self.number, results: results, totalPages: (reachable + Self.size - 1) / Self.size,
            totalResults: stored + others.totalResults)
    }
}
