import BoundedCache
package import MovieDomain

/// Posters of TMDB, for its own films and those of other sources.
package struct TMDBPosters: PosterFinder {
    /// The most titles that are searched for.
    static let titleLimit = 3
    /// The most candidates.
    private static let limit = 20

    let tmdb: TMDB

    package var source: MovieSource { .tmdb }

    /// The results of a search for each title, of the film's year if there are any, else of any year, until one is likely to be of the film.
    package func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        var candidates: [PosterCandidate] = []
        for title in film.titles.prefix(Self.titleLimit) {
            let found = try await self.rows(title, of: film.year, language: self.tmdb.posterLanguage)
            for candidate in found.compactMap(PosterCandidate.init)
            where !candidates.contains(where: { $0.location == candidate.location }) {
                candidates.append(candidate)
            }
            if candidates.contains(where: film.allows) { break }
        }
        return Array(candidates.prefix(Self.limit))
    }

    /// The poster of a film of TMDB in ``TMDB/posterLanguage``, from the latest list or details.
    ///
    /// - Returns: nil when there is no such film, or when it has none.
    package func poster(of id: MovieID) async throws -> PosterReference? {
        if let remembered = self.tmdb.knownPosters.value(for: id) { return remembered.map { PosterReference($0) } }
        return try await self.tmdb.movies.film(id, language: self.tmdb.posterLanguage)?.movie.summary.poster
    }

    /// As ``poster(of:)``, from details that are requested again because the known poster was removed.
    /// - Returns: nil when there is no such film, or when it has none.
    package func refreshedPoster(of id: MovieID) async throws -> PosterReference? {
        let film = try await self.tmdb.movies.film(id, language: self.tmdb.posterLanguage, isOutdated: true)
        // Also when the details were known, and a list is what was wrong.
        self.tmdb.knownPosters.insert(film?.movie.summary.poster?.location, for: id)
        return film?.movie.summary.poster
    }
}

extension PosterCandidate {
    /// nil for a film without a poster.
    fileprivate init?(_ film: TMDBRow) {
        guard let poster = film.poster else { return nil }
        self.init(
            source: .tmdb, location: poster, title: film.title, originalTitle: film.originalTitle,
            year: film.releaseDate?.year, size: nil)
    }
}
