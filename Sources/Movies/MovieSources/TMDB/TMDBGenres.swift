import MovieDomain
import UpstreamClient

extension TMDB {
    /// All genres of TMDB. Only names in other languages than Korean, English and Japanese are requested.
    func genres(language: LanguagePreference) async throws -> TMDBGenres {
        let known = TMDBGenres(language: language)
        guard known.needsNames else { return known }
        let request = UpstreamRequest(
            "/genre/movie/list", query: [("language", Self.tag(language.first))], language: language.first,
            lifetime: Lifetime.genres, isPermanent: true)
        return try await self.client.get(request) { answer in
            TMDBGenres(try TolerantJSON.object(answer.body), language: language)
        } ?? known
    }

    /// The genres' names; in English when the request fails.
    func genreNames(language: LanguagePreference) async throws -> TMDBGenres {
        do {
            return try await self.genres(language: language)
        } catch is SourceFailure {
            return TMDBGenres(language: language)
        }
    }
}

/// TMDB's genres, which lists contain as numbers. Those that the vocabulary does not have are left out.
struct TMDBGenres: Sendable {
    let all: [Genre]
    private let language: LanguagePreference

    /// With the names of the vocabulary.
    init(language: LanguagePreference) {
        self.language = language
        self.all = GenreID.allCases.filter { $0.tmdbNumber != nil }.map { Genre($0, in: language) }
    }

    /// Reads `genres`, with their names.
    init(_ object: TolerantObject, language: LanguagePreference) {
        self.language = language
        self.all = object.rows("genres").compactMap { row in
            row.integer("id").flatMap { GenreID(tmdb: $0) }.map {
                Genre($0, in: language, sourceName: row.text("name"))
            }
        }
    }

    /// Whether the vocabulary has no names in the language.
    var needsNames: Bool { GenreID.drama.name(in: self.language.first) == nil }

    /// The genres of these numbers, in their order.
    func genres(_ numbers: [Int]) -> [Genre] {
        numbers.compactMap { number in
            guard let id = GenreID(tmdb: number) else { return nil }
            return self.all.first { $0.id == id } ?? Genre(id, in: self.language)
        }
    }
}
