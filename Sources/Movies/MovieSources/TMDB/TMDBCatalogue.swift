public import MovieDomain

/// TMDB's lists and its search.
///
/// They are in the first preferred language; what is empty in it comes from the next ones and from English, with two more requests a page at
/// most and never one a film.
public struct TMDBCatalogue: MovieCatalogue {
    let tmdb: TMDB

    /// TMDB.
    public var source: MovieSource { .tmdb }
    /// ``TMDB/pageLimit``.
    public var pageLimit: Int { TMDB.pageLimit }

    /// A list as TMDB keeps it.
    public func list(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let query = self.tmdb.region.map { [(name: "region", value: $0)] } ?? []
        let found = try await self.tmdb.page(
            "/movie/\(list.rawValue)", query: query, page: page, language: language, lifetime: TMDB.Lifetime.lists)
        guard let found else { throw SourceFailure.badAnswer(.tmdb, reason: "it has no list \(list.rawValue)") }
        return found
    }

    /// The best match first, as TMDB finds.
    public func search(
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

    /// All that its films may have, in the first preferred language.
    public func genres(language: LanguagePreference) async throws -> [Genre] {
        try await self.tmdb.genres(language: language.first).all
    }
}
