package import MovieDomain

extension TMDBPosters: FilmFinder {
    /// The results of the searches for the film's poster, which are stored, with those that have no poster.
    package func films(for film: PosterSearchTerms) async throws -> [FoundFilm] {
        var found: [FoundFilm] = []
        for title in film.titles.prefix(Self.titleLimit) {
            found += try await self.rows(title, of: film.year, language: Self.searchLanguage).map {
                FoundFilm(id: $0.id, title: $0.title, originalTitle: $0.originalTitle, year: $0.releaseDate?.year)
            }
            if found.contains(where: film.matches) { break }
        }
        return found
    }

    /// The results of a search, of the year if there are any, else of any year.
    func rows(_ title: String, of year: Int?, language: Language) async throws -> [TMDBRow] {
        if let year {
            let found = try await self.search(MovieQuery(title, year: year), language: language)
            if !found.isEmpty { return found }
        }
        return try await self.search(MovieQuery(title), language: language)
    }

    private func search(_ query: MovieQuery?, language: Language) async throws -> [TMDBRow] {
        guard let query else { return [] }
        let found = try await self.tmdb.rows(
            "/search/movie", query: TMDBCatalogue.parameters(query) + [("page", "1")], language: language,
            lifetime: TMDB.Lifetime.search)
        return found?.rows ?? []
    }
}
