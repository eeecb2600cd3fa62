import BoundedCache
import MovieDomain
import UpstreamClient

extension TMDB {
    /// A page of films in the first preferred language, with what is empty in it from the next ones and from English: two more requests at
    /// most.
    ///
    /// - Returns: nil when there is no such list.
    func page(
        _ path: String, query: [(name: String, value: String)] = [], page: Int, language: LanguagePreference,
        lifetime: Duration
    ) async throws -> Page<MovieSummary>? {
        guard page <= Self.pageLimit else { return Page(number: page, results: [], totalPages: 0, totalResults: 0) }
        let query = query + [("page", String(max(1, page)))]
        async let genres = self.genreNames(language: language.first)
        guard var rows = try await self.rows(path, query: query, language: language.first, lifetime: lifetime) else {
            return nil
        }
        do {
            for other in language.fillers() where rows.hasGaps {
                let others = try await self.rows(path, query: query, language: other, lifetime: lifetime)
                if let others { rows.fill(from: others) }
            }
        } catch is SourceFailure {
            // The client has told of it; a list with gaps is a list.
        }
        return rows.page(max(1, page), try await genres)
    }

    /// A page of a list as it is, and its posters remembered if they are those that everybody gets.
    func rows(
        _ path: String, query: [(name: String, value: String)], language: Language, lifetime: Duration
    ) async throws -> TMDBPage? {
        let posters = language == self.posterLanguage ? self.knownPosters : nil
        let request = UpstreamRequest(
            path, query: query + [("language", Self.tag(language))], language: language, lifetime: lifetime)
        return try await self.client.get(request) { answer in
            let page = try TMDBPage(decoding: answer)
            for row in page.rows { posters?.insert(row.poster, for: row.id) }
            return page
        }
    }

    /// - Throws: ``SourceFailure``; `CancellationError`.
    func genres(language: Language) async throws -> TMDBGenres {
        let request = UpstreamRequest(
            "/genre/movie/list", query: [("language", Self.tag(language))], language: language,
            lifetime: Lifetime.genres)
        return try await self.client.get(request) { try TMDBGenres(decoding: $0) } ?? .english
    }

    /// The genres' names; in English when they cannot be had.
    ///
    /// - Throws: `CancellationError`.
    func genreNames(language: Language) async throws -> TMDBGenres {
        do {
            return try await self.genres(language: language)
        } catch is SourceFailure {
            return .english
        }
    }
}

extension LanguagePreference {
    /// So many languages are asked for what is empty in the first.
    private static let fillerLimit = 2

    /// Whose texts take the place of what is empty in the first language: the next ones, the film's own, English.
    ///
    /// - Parameter original: The film's own, if it is known.
    func fillers(original: Language? = nil) -> ArraySlice<Language> {
        LanguagePreference(self.languages + [original, .english].compactMap { $0 }).languages.dropFirst()
            .prefix(Self.fillerLimit)
    }
}
