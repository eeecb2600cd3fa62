import BoundedCache
package import MovieDomain
import UpstreamClient

/// TMDB's posters, for its own films and films of other sources.
package struct TMDBPosters: PosterFinder {
    /// The searched films are of Korean sources, in which foreign films have Korean titles, too. TMDB finds films by
    /// titles in all languages, and responds with the title in this language.
    static let searchLanguage = Language.korean
    static let titleLimit = 3
    private static let limit = 20

    let tmdb: TMDB

    package var source: MovieSource { .tmdb }

    /// The posters of a listed film's possible matches among the openings of its month; otherwise of the results for
    /// each title, until one is acceptable.
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
    /// - Parameter choice: Without a poster in its language, the poster in ``TMDB/posterLanguage`` is used, then the
    ///   English one; without a textless poster, the poster in its language.
    /// - Returns: `nil` if there is no such film, or it has no poster.
    package func poster(of id: MovieID, as choice: PosterChoice = PosterChoice()) async throws -> PosterReference? {
        if choice.isTextless, let poster = try await self.details(of: id, in: choice)?.textlessPoster { return poster }
        return try await self.languages(of: choice).firstPoster { language in
            if let known = self.tmdb.knownPosters.value(for: TMDB.PosterKey(id: id, language: language)) {
                return known.map { PosterReference($0) }
            }
            return try await self.tmdb.movies.film(id, language: language)?.movie.summary.poster
        }
    }

    /// Like ``poster(of:as:)``, but requests the details again, after the known poster was removed.
    ///
    /// - Returns: `nil` if there is no such film, or it has no poster.
    package func refreshedPoster(
        of id: MovieID, as choice: PosterChoice = PosterChoice()
    ) async throws -> PosterReference? {
        if choice.isTextless, let poster = try await self.details(of: id, in: choice, isOutdated: true)?.textlessPoster
        {
            return poster
        }
        return try await self.languages(of: choice).firstPoster { language in
            let poster = try await self.tmdb.movies.film(id, language: language, isOutdated: true)?.movie.summary.poster
            // Also if the details were up to date, and a list had the removed poster.
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

    /// The languages of posters in order of preference. TMDB itself falls back to other languages, so that later ones
    /// are rarely needed.
    private func languages(of choice: PosterChoice) -> [Language] {
        [choice.language, self.tmdb.posterLanguage, .english].compactMap { $0 }.uniqued
    }
}

extension [Language] {
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
    fileprivate init?(_ film: TMDBRow) {
        guard let poster = film.poster else { return nil }
        self.init(
            source: .tmdb, location: poster, title: film.title, originalTitle: film.originalTitle,
            year: film.releaseDate?.year, size: nil)
    }
}
