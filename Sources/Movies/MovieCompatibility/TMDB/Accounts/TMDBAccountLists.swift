import MovieDomain
import MovieHTTP

/// The account of a session and its lists, from the domain.
struct TMDBAccountLists: Sendable {
    private static let pageSize = Favourite.pageSize

    let useCases: MovieUseCases

    func account(of holder: AuthenticatedSession) async throws -> OrderedJSON {
        let account = try await self.useCases.accounts.account(of: holder)
        let country = self.useCases.services.defaultRegion ?? .unitedStates
        return [
            "avatar": ["gravatar": ["hash": ""], "tmdb": ["avatar_path": nil]],
            "id": .integer(TMDBNumber.number(of: account)),
            "iso_639_1": .string(self.useCases.services.defaultLanguage.code),
            "iso_3166_1": .string(country.code),
            "name": .string(account.name), "include_adult": false, "username": .string(account.username),
        ]
    }

    /// A page of a list, in descending order of time unless the request sorts it ascending.
    func list(
        _ list: TMDBPersonalResource.List, of holder: AuthenticatedSession, _ request: TMDBRequest
    ) async throws -> OrderedJSON {
        let (number, language) = (try request.page(), request.language)
        let page =
            try await request["sort_by"] == "created_at.asc"
            ? Self.ascending(number) { try await self.rows(list, $0, language, of: holder) }
            : self.rows(list, number, language, of: holder)
        return TMDBPage.object(page, rows: page.results.compactMap { $0 })
    }

    /// A page of rows; `nil` represents a film without a number in this format.
    private func rows(
        _ list: TMDBPersonalResource.List, _ page: Int, _ language: LanguagePreference, of holder: AuthenticatedSession
    ) async throws -> Page<OrderedJSON?> {
        switch list {
        case .favourites:
            let films = try await self.useCases.favourites.page(page, language: language, for: holder)
            return films.replacing(films.results.map { TMDBFilmRow.object($0.movie) })
        case .watchlist:
            let films = try await self.useCases.watchlist.page(page, language: language, for: holder)
            return films.replacing(films.results.map { TMDBFilmRow.object($0.movie) })
        case .rated:
            let films = try await self.useCases.accounts.ratings(page: page, language: language, for: holder)
            return films.replacing(
                films.results.map { film in
                    TMDBFilmRow.object(film.movie)?.adding(["rating": .number(film.rating.value)])
                })
        }
    }

    /// A page of the reversed list, assembled from the two pages with its rows.
    private static func ascending(
        _ number: Int, _ page: (Int) async throws -> Page<OrderedJSON?>
    ) async throws -> Page<OrderedJSON?> {
        let total = try await page(1).totalResults
        let end = total - (number - 1) * Self.pageSize
        let start = max(0, end - Self.pageSize)
        guard end > 0 else {
            return Page(
                number: number, results: [], totalPages: (total + Self.pageSize - 1) / Self.pageSize,
                totalResults: total)
        }
        let first = start / Self.pageSize
        var rows: [OrderedJSON?] = try await page(first + 1).results
        rows += try await page(first + 2).results
        let wanted = rows.dropFirst(start - first * Self.pageSize).prefix(end - start)
        return Page(
            number: number, results: wanted.reversed(), totalPages: (total + Self.pageSize - 1) / Self.pageSize,
            totalResults: total)
    }
}
