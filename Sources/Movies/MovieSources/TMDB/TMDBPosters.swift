import BoundedCache
package import MovieDomain
import UpstreamClient

/// Posters of TMDB, for its own films and those of other sources.
package struct TMDBPosters: PosterFinder {
    /// Posters of Korean sources' films are looked for, and foreign films have Korean titles there. TMDB finds films by their titles in all
    /// languages, and responds with the one in this language.
    static let searchLanguage = Language.korean
    /// The most titles that are searched for.
    static let titleLimit = 3
    /// The most candidates.
    private static let limit = 20

    let tmdb: TMDB

    package var source: MovieSource { .tmdb }

    /// Of a listed film the openings of its month that may be it; else the results of a search for each title, until one is likely to
    /// be of the film.
    package func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        if let openings = try await self.openings(of: film) { return openings.compactMap(PosterCandidate.init) }
        var candidates: [PosterCandidate] = []
        var locations: Set<PictureLocation> = []
        for title in film.titles.prefix(Self.titleLimit) {
            let found = try await self.rows(title, of: film)
            candidates += found.compactMap(PosterCandidate.init).filter { locations.insert($0.location).inserted }
            if candidates.contains(where: film.allows) { break }
        }
        return Array(candidates.prefix(Self.limit))
    }

    /// The poster of a film of TMDB, from the latest list or details in its language.
    ///
    /// - Parameter choice: Without a poster in its language, the one in ``TMDB/posterLanguage`` is used, then the English one;
    ///   without one that has no text, the one in the language.
    /// - Returns: nil when there is no such film, or when it has none.
    package func poster(of id: MovieID, as choice: PosterChoice = PosterChoice()) async throws -> PosterReference? {
        if choice.isTextless, let poster = try await self.details(of: id, in: choice)?.textlessPoster { return poster }
        return try await self.languages(of: choice).firstPoster { language in
            if let known = self.tmdb.knownPosters.value(for: TMDB.PosterKey(id: id, language: language)) {
                return known.map { PosterReference($0) }
            }
            return try await self.tmdb.movies.film(id, language: language)?.movie.summary.poster
        }
    }

    /// As ``poster(of:as:)``, from details that are requested again because the known poster was removed.
    ///
    /// - Returns: nil when there is no such film, or when it has none.
    package func refreshedPoster(
        of id: MovieID, as choice: PosterChoice = PosterChoice()
    ) async throws -> PosterReference? {
        if choice.isTextless, let poster = try await self.details(of: id, in: choice, isOutdated: true)?.textlessPoster
        {
            return poster
        }
        return try await self.languages(of: choice).firstPoster { language in
            let poster = try await self.tmdb.movies.film(id, language: language, isOutdated: true)?.movie.summary.poster
            // Also when the details were known, and a list is what was wrong.
            self.tmdb.knownPosters.insert(poster?.location, for: TMDB.PosterKey(id: id, language: language))
            return poster
        }
    }

    private func details(
        of id: MovieID, in choice: PosterChoice, isOutdated: Bool = false
    ) async throws -> TMDBFilm? {
        try await self.tmdb.movies.film(
            id, language: choice.language ?? self.tmdb.posterLanguage, isOutdated: isOutdated)
    }

    /// In which posters are looked for, in order. TMDB itself has other languages' posters where there is none in the requested one,
    /// so the others are rarely needed.
    private func languages(of choice: PosterChoice) -> [Language] {
        [choice.language, self.tmdb.posterLanguage, .english].compactMap { $0 }.uniqued
    }
}

extension [Language] {
    /// The first poster that `find` finds.
    fileprivate func firstPoster(
        _ find: (Language) async throws -> PosterReference?
    ) async throws -> PosterReference? {
        for language in self {
            if let poster = try await find(language) { return poster }
        }
        return nil
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
