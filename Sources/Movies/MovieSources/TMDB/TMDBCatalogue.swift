package import MovieDomain
import UpstreamClient

/// TMDB's lists and search, in the first preferred language; see ``TMDB/page(_:query:page:language:lifetime:)``.
package struct TMDBCatalogue: MovieCatalogue {
    let tmdb: TMDB

    package var source: MovieSource { .tmdb }
    package var pageLimit: Int { TMDB.pageLimit }

    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let query = self.tmdb.region.map { [(name: "region", value: $0)] } ?? []
        let found = try await self.tmdb.page(
            "/movie/\(list.rawValue)", query: query, page: page, language: language, lifetime: TMDB.Lifetime.lists)
        guard let found else { throw SourceFailure.badAnswer(.tmdb, reason: "it has no list \(list.rawValue)") }
        return found
    }

    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.tmdb.page(
            "/search/movie", query: Self.parameters(query), page: page, language: language,
            lifetime: TMDB.Lifetime.search)
            ?? Page(number: page, results: [], totalPages: 0, totalResults: 0)
    }

    static func parameters(_ query: MovieQuery) -> [(name: String, value: String)] {
        var parameters = [(name: "query", value: query.text), (name: "include_adult", value: "false")]
        if let year = query.year { parameters.append(("primary_release_year", String(year))) }
        return parameters
    }

    package func genres(language: LanguagePreference) async throws -> [Genre] {
        try await self.tmdb.genres(language: language.first).all
    }
}

/// The names of genres, which lists contain as numbers.
struct TMDBGenres: Sendable {
    let all: [Genre]
    private let names: [Int: String]

    init(_ rows: [(id: Int, name: String)]) {
        self.all = rows.map { Genre(id: String($0.id), name: $0.name) }
        self.names = Dictionary(rows.map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// Reads `genres`; those without a name have their English one.
    init(decoding answer: UpstreamResponse) throws {
        self.init(Self.rows(try TolerantJSON.object(answer.body)))
    }

    /// The genres of an answer that has them with their names.
    static func rows(_ object: TolerantObject) -> [(id: Int, name: String)] {
        object.rows("genres").compactMap { row in
            guard let id = row.integer("id") else { return nil }
            return (row.text("name") ?? Self.english.names[id]).map { (id, $0) }
        }
    }

    /// Those numbers that have a name.
    func genres(_ ids: [Int]) -> [Genre] {
        ids.compactMap { id in self.names[id].map { Genre(id: String(id), name: $0) } }
    }

    /// As of 2024, for when the request fails.
    static let english = TMDBGenres([
        (28, "Action"), (12, "Adventure"), (16, "Animation"), (35, "Comedy"), (80, "Crime"), (99, "Documentary"),
        (18, "Drama"), (10751, "Family"), (14, "Fantasy"), (36, "History"), (27, "Horror"), (10402, "Music"),
        (9648, "Mystery"), (10749, "Romance"), (878, "Science Fiction"), (10770, "TV Movie"), (53, "Thriller"),
        (10752, "War"), (37, "Western"),
    ])
}
