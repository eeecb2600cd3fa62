package import MovieDomain

extension TMDBPosters: FilmFinder {
    /// The number of days around a month to include in its openings: a list's day may be a preview's.
    private static let openingTolerance = 7
    /// The number of days after a month until TMDB's dates of it hardly change.
    private static let settledDays = 60
    private static let settledLifetime = Duration.seconds(7 * 86_400)

    /// The results of the searches for the film's poster, including films without a poster; their responses are stored.
    package func films(for film: PosterSearchTerms) async throws -> [FoundFilm] {
        if let openings = try await self.openings(of: film) { return openings.map(FoundFilm.init) }
        var found: [FoundFilm] = []
        for title in film.titles.prefix(Self.titleLimit) {
            found += try await self.rows(title, of: film).map(FoundFilm.init)
            if found.contains(where: film.matches) { break }
        }
        return found
    }

    /// The results of a search, films of exactly the same year before films of adjacent years.
    ///
    /// A search with the year follows only if the first page without it is incomplete and has no possible match: most
    /// films of a box office are found by the title alone, and often have another year.
    func rows(_ title: String, of film: PosterSearchTerms) async throws -> [TMDBRow] {
        guard let found = try await self.search(MovieQuery(title)) else { return [] }
        if let year = film.year, found.totalPages > 1, !found.rows.contains(where: { film.matches(FoundFilm($0)) }) {
            let ofYear = try await self.search(MovieQuery(title, year: year))?.rows ?? []
            if !ofYear.isEmpty { return ofYear }
        }
        return Self.nearestFirst(found.rows, to: film)
    }

    /// The possible matches of a listed film among the 20 most popular films that opened in Korea in the same month:
    /// one request serves all listed films of a month. A late response is not waited for.
    ///
    /// - Returns: `nil` if there are none.
    func openings(of film: PosterSearchTerms) async throws -> [TMDBRow]? {
        guard let opening = film.opening, let month = CalendarDate(year: opening.year, month: opening.month, day: 1)
        else { return nil }
        do {
            let rows = try await Supplement.ask { try await self.openings(inMonthOf: month) }
            let matching = rows.filter { film.matches(FoundFilm($0)) }
            return matching.isEmpty ? nil : Self.nearestFirst(matching, to: film)
        } catch is SourceFailure {
            // Logged by the client; the caller searches by title.
            return nil
        }
    }

    /// - Parameter first: The first day of the month.
    private func openings(inMonthOf first: CalendarDate) async throws -> [TMDBRow] {
        let inNextMonth = first.adding(days: 31)
        let last = inNextMonth.adding(days: -inNextMonth.day)
        let isSettled = last.adding(days: Self.settledDays) < self.tmdb.now().dateInSeoul
        let query: [(name: String, value: String)] = [
            ("region", Country.korea.code), ("with_release_type", "2|3"),
            ("release_date.gte", first.adding(days: -Self.openingTolerance).description),
            ("release_date.lte", last.adding(days: Self.openingTolerance).description), ("include_adult", "false"),
            ("sort_by", "popularity.desc"), ("page", "1"),
        ]
        return try await self.tmdb.rows(
            "/discover/movie", query: query, language: Self.searchLanguage,
            lifetime: isSettled ? Self.settledLifetime : TMDB.Lifetime.search)?.rows ?? []
    }

    private func search(_ query: MovieQuery?) async throws -> TMDBPage? {
        guard let query else { return nil }
        return try await self.tmdb.rows(
            "/search/movie", query: TMDBCatalogue.parameters(query) + [("page", "1")], language: Self.searchLanguage,
            lifetime: TMDB.Lifetime.search)
    }

    /// Sorts possible matches by the distance of their years; other rows keep their places.
    private static func nearestFirst(_ rows: [TMDBRow], to film: PosterSearchTerms) -> [TMDBRow] {
        let distance = { (place: Int) in abs((rows[place].releaseDate?.year ?? 0) - (film.year ?? 0)) }
        let places = rows.indices.filter { film.matches(FoundFilm(rows[$0])) }
        var sorted = rows
        for (place, other) in zip(places, places.sorted { (distance($0), $0) < (distance($1), $1) }) {
            sorted[place] = rows[other]
        }
        return sorted
    }
}

extension FoundFilm {
    fileprivate init(_ row: TMDBRow) {
        self.init(id: row.id, title: row.title, originalTitle: row.originalTitle, year: row.releaseDate?.year)
    }
}
