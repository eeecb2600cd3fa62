package import MovieDomain

/// Lists and search of the embedded catalogue.
///
/// Popular films are sorted by number of ratings, top rated ones by score. Now playing and upcoming ones follow the
/// ``SimulatedProgramme``, like the box office: two films open every Thursday and run for eight weeks. Trending films
/// are sorted by its audience. The programme is Seoul's: a region has no effect.
package struct EmbeddedMovieCatalogue: MovieCatalogue {
    private let database: CatalogueDatabase
    private let now: @Sendable () -> Instant

    /// - Parameter now: The current time, which determines the films in cinemas.
    package init(_ database: CatalogueDatabase, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.now = now
    }

    package var source: MovieSource { .embedded }
    /// As for TMDB; the last page with films comes long before.
    package var pageLimit: Int { 500 }

    /// The region has no effect: all cinemas are in one city.
    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        let films = Page(page, of: self.films(of: list, catalogue), size: EmbeddedMovies.pageSize)
        return films.replacing(
            films.results.compactMap { film, opening in
                film.summary(in: language, catalogue.names, opening: opening.map { CalendarDate(dayNumber: $0) })
            })
    }

    /// A page of 20; empty for a text without letters and digits.
    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        let films = FilmSearch.films(for: query.text, year: query.year, in: catalogue.search).map {
            catalogue.films[$0]
        }
        return Page(page, of: films, size: EmbeddedMovies.pageSize).summaries(in: language, catalogue.names)
    }

    package func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return Page(page, of: catalogue.films(filter, in: language), size: EmbeddedMovies.pageSize)
            .summaries(in: language, catalogue.names)
    }

    /// The films in cinemas, by audience of yesterday or the last seven days.
    package func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        let yesterday = self.now().dateInSeoul.dayNumber - 1
        let first = period == .day ? yesterday : yesterday - 6
        let films = SimulatedRanking(catalogue, of: nil, from: first, to: yesterday).rows.map(\.film)
        return Page(page, of: films, size: EmbeddedMovies.pageSize).summaries(in: language, catalogue.names)
    }

    /// The genres of its films, in the order of the vocabulary.
    package func genres(language: LanguagePreference) async throws -> [Genre] {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return Self.genres(of: catalogue, in: language)
    }

    /// The values of its films.
    package func filterChoices(language: LanguagePreference) async throws -> FilterChoices {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return FilterChoices(
            genres: Self.genres(of: catalogue, in: language),
            decades: Set(catalogue.films.map { $0.year - $0.year % 10 }).sorted(by: >),
            countries: Set(catalogue.films.flatMap(\.countries)).sorted { $0.code < $1.code })
    }

    private static func genres(of catalogue: LoadedCatalogue, in language: LanguagePreference) -> [Genre] {
        let used = Set(catalogue.films.flatMap(\.genres))
        return GenreID.allCases.filter { used.contains($0) }.map { Genre($0, in: language) }
    }

    /// The films of a list; for films in cinemas, with the day numbers of their openings.
    private func films(
        of list: MovieList, _ catalogue: LoadedCatalogue
    ) -> [(film: EmbeddedFilm, opening: Int?)] {
        let today = self.now().dateInSeoul.dayNumber
        let programme = SimulatedProgramme(filmCount: catalogue.films.count)
        switch list {
        case .popular: return catalogue.byPopularity.map { ($0, nil) }
        case .topRated: return catalogue.byScore.map { ($0, nil) }
        case .nowPlaying: return programme.runs(on: today).map { (catalogue.films[$0.film], $0.opening) }
        case .upcoming: return programme.openings(after: today).map { (catalogue.films[$0.film], $0.opening) }
        }
    }
}
