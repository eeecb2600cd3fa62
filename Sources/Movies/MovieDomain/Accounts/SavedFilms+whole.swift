/// Reads lists as a whole, to sort, filter and export them.
extension SavedFilms {
    /// The maximal number of films that are stored here.
    package static let wholeLimit = AddFavourite.defaultLimit
    /// The maximal number of pages of a watchlist at a source: 500 films.
    package static let sourcePageLimit = 25
    /// The limit of concurrent requests for pages.
    private static let pagesAtOnce = 4

    /// The films of a list, as far as they are within the limits.
    package struct Whole: Sendable {
        /// The films that are stored here, then those at the source, each the latest first.
        package let films: [SavedFilm]
        /// Whether the list has no more films.
        package let isComplete: Bool
    }

    /// All films of a list. Stored films keep the language in which they were added.
    ///
    /// - Parameter language: The language of films at the source.
    /// - Throws: ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func whole(language: LanguagePreference, for holder: AuthenticatedSession) async throws -> Whole {
        let owner = holder.favouritesOwner
        let stored = try await self.films.favourites(of: owner, page: 1, size: Self.wholeLimit)
        let films = stored.results.map { SavedFilm($0) }
        guard let accounts = self.accounts, accounts.hasWatchlist(holder) else {
            return Whole(films: films, isComplete: stored.totalPages <= 1)
        }
        let first = try await accounts.watchlist(page: 1, language: language, for: holder)
        let pages = try await self.sourcePages(after: first, accounts, language, holder)
        var others: [SavedFilm] = []
        var known = Set(films.map(\.movie.id))
        for page in pages {
            known.formUnion(try await self.films.favouriteIDs(among: page.map(\.id), of: owner))
            others += page.filter { known.insert($0.id).inserted }.map { SavedFilm($0, in: language.first) }
        }
        if stored.totalResults > 0 { self.moveToSource(for: holder) }
        return Whole(
            films: films + others, isComplete: stored.totalPages <= 1 && first.totalPages <= Self.sourcePageLimit)
    }

    /// A page of ``Favourite/pageSize`` of an arranged list. Stored titles in other languages are sorted and compared
    /// as they are stored.
    ///
    /// - Returns: The page, and whether all films of the list were arranged.
    /// - Throws: ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func page(
        _ number: Int, arrangedBy arrangement: SavedFilmArrangement, language: LanguagePreference,
        for holder: AuthenticatedSession
    ) async throws -> (page: Page<SavedFilm>, isComplete: Bool) {
        guard !arrangement.isDefault else {
            return (try await self.page(number, language: language, for: holder), true)
        }
        let whole = try await self.whole(language: language, for: holder)
        let page = Page(number, of: arrangement(whole.films), size: Favourite.pageSize)
        let stored = page.results.compactMap { film in
            film.addedAt.map { Favourite(movie: film.movie, addedAt: $0, language: film.language) }
        }
        let localised = Dictionary(
            try await self.localise(stored, language: language).map { ($0.movie.id, SavedFilm($0)) }
        ) { first, _ in first }
        return (page.replacing(page.results.map { localised[$0.movie.id] ?? $0 }), whole.isComplete)
    }

    /// The pages of the watchlist at the source, in order.
    private func sourcePages(
        after first: Page<MovieSummary>, _ accounts: AuthenticatedAccounts, _ language: LanguagePreference,
        _ holder: AuthenticatedSession
    ) async throws -> [[MovieSummary]] {
        let last = min(first.totalPages, Self.sourcePageLimit)
        guard last > 1 else { return [first.results] }
        var found: [Int: [MovieSummary]] = [1: first.results]
        try await withThrowingTaskGroup(of: (Int, [MovieSummary]).self) { group in
            for number in 2...last {
                if number > Self.pagesAtOnce + 1, let (done, films) = try await group.next() { found[done] = films }
                group.addTask {
                    (number, try await accounts.watchlist(page: number, language: language, for: holder).results)
                }
            }
            for try await (done, films) in group { found[done] = films }
        }
        return (1...last).map { found[$0] ?? [] }
    }
}
