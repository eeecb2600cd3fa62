import MovieDomain
import UpstreamClient

extension TMDB {
    /// All genres of TMDB. Names are requested only for languages other than Korean, English and Japanese.
    func genres(language: LanguagePreference) async throws -> TMDBGenres {
        let known = TMDBGenres(language: language)
        guard known.needsNames else { return known }
        let request = UpstreamRequest(
            "/genre/movie/list", query: [("language", Self.tag(language.first))], language: language.first,
            lifetime: Lifetime.genres, isPermanent: true)
        let names = try await self.client.get(request) { TMDBGenres.names(in: try TolerantJSON.object($0.body)) }
        return names.map { TMDBGenres($0, language: language) } ?? known
    }

    /// The genres with their names; in English if the request fails.
    func genreNames(language: LanguagePreference) async throws -> TMDBGenres {
        do {
            return try await self.genres(language: language)
        } catch is SourceFailure {
            return TMDBGenres(language: language)
        }
    }
}

/// TMDB's genres, which lists contain as numbers. Genres outside the vocabulary are dropped.
struct TMDBGenres: Sendable {
    let all: [Genre]
    private let language: LanguagePreference

    /// Uses the vocabulary's names.
    init(language: LanguagePreference) {
        self.language = language
        self.all = GenreID.allCases.filter { $0.tmdbNumber != nil }.map { Genre($0, in: language) }
    }

    /// - Parameter names: Names in the first language.
    init(_ names: [(id: GenreID, name: String?)], language: LanguagePreference) {
        self.language = language
        self.all = names.map { Genre($0.id, in: language, sourceName: $0.name) }
    }

    /// The vocabulary's genres among the rows of `genres`, in their order, without duplicates.
    static func names(in object: TolerantObject) -> [(id: GenreID, name: String?)] {
        var known: Set<GenreID> = []
        return object.rows("genres").compactMap { row in
            guard let id = row.integer("id").flatMap({ GenreID(tmdb: $0) }), known.insert(id).inserted else {
                return nil
            }
            return (id, row.text("name"))
        }
    }

    /// Whether the vocabulary lacks names in the language.
    var needsNames: Bool { GenreID.drama.name(in: self.language.first) == nil }

    /// The genres with these numbers, in their order.
    func genres(_ numbers: [Int]) -> [Genre] {
        numbers.compactMap { number in
            guard let id = GenreID(tmdb: number) else { return nil }
            return self.all.first { $0.id == id } ?? Genre(id, in: self.language)
        }
    }
}
