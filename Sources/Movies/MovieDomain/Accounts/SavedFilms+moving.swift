/// Moving films of a watchlist to the source of its account.
extension SavedFilms {
    /// The most films of a move: one request each.
    package static let moveLimit = 20

    /// Moves films that are stored here and that the account's source knows to its watchlist there, in the background, the oldest first,
    /// so that they are in the same order there. Those that it refuses stay here.
    package func moveToSource(for holder: AuthenticatedSession) {
        guard let accounts = self.accounts, accounts.hasWatchlist(holder) else { return }
        self.start(holder.favouritesOwner) {
            // Clients and the library log failures. What is left is moved the next time.
            try? await self.move(of: holder, to: accounts)
        }
    }

    private func move(of holder: AuthenticatedSession, to accounts: AuthenticatedAccounts) async throws {
        let owner = holder.favouritesOwner
        let size = Favourite.pageSize
        var count = 0
        var number = try await self.films.favourites(of: owner, page: 1, size: size).totalPages
        while number > 0, count < Self.moveLimit {
            // What is moved is behind what is still to be read.
            let page = try await self.films.favourites(of: owner, page: number, size: size)
            let ids = page.results.map(\.movie.id)
            let sourceIDs = try await accounts.storedIDs(of: ids)
            for id in ids.reversed() where count < Self.moveLimit {
                // The user may have removed it meanwhile.
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

/// Which rows of a list at a source a page has, behind those of a list that comes before it.
struct SourceWindow: Hashable, Sendable {
    private static let size = Favourite.pageSize

    private let number: Int
    /// Rows of the first page at the source that are on earlier pages.
    private let skippedCount: Int
    /// Rows that are on this page.
    private let count: Int
    /// At the source.
    let firstPage: Int

    /// - Parameters:
    ///   - page: From 1.
    ///   - before: The number of rows of the list that comes before.
    init(page: Int, behind before: Int) {
        self.number = page
        // No list is that long.
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

    /// - Parameter others: A page of the list at the source; not all of its films may be reachable.
    func page(_ results: [SavedFilm], stored: Int, others: Page<MovieSummary>) -> Page<SavedFilm> {
        let reachable = stored + min(others.totalResults, others.totalPages * Self.size)
        return Page(
            number: self.number, results: results, totalPages: (reachable + Self.size - 1) / Self.size,
            totalResults: stored + others.totalResults)
    }
}
