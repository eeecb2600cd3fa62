public import MovieDomain

/// Posters out of TMDB, of its own films and for others'.
public struct TMDBPosters: PosterFinder {
    /// Of a film that are looked for.
    private static let titleLimit = 3
    /// Candidates told.
    private static let limit = 20

    let tmdb: TMDB

    /// TMDB.
    public var source: MovieSource { .tmdb }

    /// What a search for each title finds, in the film's year if there is one there, else in any. Nothing is compared: that is the caller's.
    public func posters(for film: PosterlessFilm) async throws -> [PosterCandidate] {
        var candidates: [PosterCandidate] = []
        for title in film.titles.prefix(Self.titleLimit) {
            guard let query = MovieQuery(title, year: film.year) else { continue }
            var found = try await self.candidates(query)
            if found.isEmpty, film.year != nil, let query = MovieQuery(title) {
                found = try await self.candidates(query)
            }
            for candidate in found where !candidates.contains(where: { $0.location == candidate.location }) {
                candidates.append(candidate)
            }
            if !candidates.isEmpty { break }
        }
        return Array(candidates.prefix(Self.limit))
    }

    private func candidates(_ query: MovieQuery) async throws -> [PosterCandidate] {
        let found = try await self.tmdb.catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
        return found.results.compactMap { film in
            film.poster.map {
                PosterCandidate(
                    source: .tmdb, location: $0.location, title: film.title, year: film.year, size: $0.size)
            }
        }
    }

    /// The poster of a film of TMDB: the one that a list or its details have shown lately, else that of its details.
    ///
    /// - Returns: nil when there is no such film, or when it has none.
    /// - Throws: ``SourceFailure``; `CancellationError`.
    public func poster(of id: MovieID, language: Language = .korean) async throws -> PosterReference? {
        if let remembered = self.tmdb.posterMemory.poster(of: id) { return remembered.map { PosterReference($0) } }
        return try await self.tmdb.movies.film(id, language: language)?.movie.summary.poster
    }
}
