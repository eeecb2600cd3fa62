/// Searches films by offset in the list of results instead of by page, as Naver's search API did.
package struct SearchMoviesByOffset: Sendable {
    /// A search text with a range of results.
    package struct Query: Hashable, Sendable {
        package static let displays = 1...100
        package static let starts = 1...1000

        package let movie: MovieQuery
        /// The position of the first result, from 1.
        package let start: Int
        package let display: Int
        /// The years of the first public showing; `nil` for any.
        package let years: ClosedRange<Int>?

        /// - Returns: `nil` if the text is empty or too long, or a number is outside ``starts`` or ``displays``.
        package init?(_ text: String, start: Int = 1, display: Int = 10, years: ClosedRange<Int>? = nil) {
            let year = years.flatMap { $0.count == 1 ? $0.lowerBound : nil }
            guard let movie = MovieQuery(text, year: year), Self.starts.contains(start),
                Self.displays.contains(display)
            else { return nil }
            self.movie = movie
            self.start = start
            self.display = display
            self.years = years
        }
    }

    /// A range of the results.
    package struct Results: Hashable, Sendable {
        /// The films from the requested position; empty after the end.
        package let movies: [MovieSummary]
        /// The number of results that can be requested.
        package let total: Int
    }

    /// The maximal number of pages to read for filters that catalogues do not support, such as several years.
    package static let filteredPageLimit = 10
    /// The limit of concurrent requests.
    static let pagesAtOnce = 4

    private let catalogue: any MovieCatalogue

    package init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// The best match first.
    ///
    /// - Parameter isWanted: Filters the results of the first ``filteredPageLimit`` pages; `nil` for all results.
    package func callAsFunction(
        _ query: Query, language: LanguagePreference, where isWanted: (@Sendable (MovieSummary) -> Bool)? = nil
    ) async throws -> Results {
        let first = try await self.catalogue.search(query.movie, page: 1, language: language)
        let lastPage = max(1, min(first.totalPages, self.catalogue.pageLimit))
        guard first.totalPages > 0 else { return Results(movies: [], total: 0) }
        // Positions per page; a page has fewer films if some could not be decoded.
        let size = self.catalogue.pageSize
        let years = query.years.flatMap { $0.count > 1 ? $0 : nil }
        if years != nil || isWanted != nil {
            let all = try await self.movies(
                of: query.movie, pages: 1...min(lastPage, Self.filteredPageLimit), first: first.results, language
            ).flatMap(\.movies)
            let matching = all.filter { movie in
                let isOfYears = years.map { years in movie.year.map(years.contains) ?? false } ?? true
                return isOfYears && isWanted?(movie) ?? true
            }
            return Results(
                movies: Array(matching.dropFirst(query.start - 1).prefix(query.display)), total: matching.count)
        }
        // A page may have more films than its size.
        let total = min(lastPage > 1 ? first.totalResults : first.results.count, lastPage * size)
        guard query.start <= total else { return Results(movies: [], total: total) }
        let last = min(query.start + query.display - 1, total)
        let pages = ((query.start - 1) / size + 1)...min((last - 1) / size + 1, lastPage)
        let found = try await self.movies(of: query.movie, pages: pages, first: first.results, language)
        // A position without a film stays empty: if later films moved up, films at the ends of pages would never be
        // returned.
        let movies = found.flatMap { number, movies in
            zip(((number - 1) * size + 1)..., movies.prefix(size)).compactMap { place, movie in
                (query.start...last).contains(place) ? movie : nil
            }
        }
        return Results(movies: movies, total: total)
    }

    private func movies(
        of query: MovieQuery, pages: ClosedRange<Int>, first: [MovieSummary], _ language: LanguagePreference
    ) async throws -> [(number: Int, movies: [MovieSummary])] {
        var found: [Int: [MovieSummary]] = [1: first]
        let wanted = pages.filter { $0 != 1 }
        try await withThrowingTaskGroup(of: (Int, [MovieSummary]).self) { group in
            var next = 0
            while next < min(wanted.count, Self.pagesAtOnce) {
                let page = wanted[next]
                group.addTask { try await self.page(page, of: query, language) }
                next += 1
            }
            while let (number, movies) = try await group.next() {
                found[number] = movies
                guard next < wanted.count else { continue }
                let page = wanted[next]
                group.addTask { try await self.page(page, of: query, language) }
                next += 1
            }
        }
        return pages.map { ($0, found[$0] ?? []) }
    }

    private func page(
        _ number: Int, of query: MovieQuery, _ language: LanguagePreference
    ) async throws -> (Int, [MovieSummary]) {
        (number, try await self.catalogue.search(query, page: number, language: language).results)
    }
}
