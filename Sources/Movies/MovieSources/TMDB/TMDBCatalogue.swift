package import MovieDomain
import SearchText
import UpstreamClient

/// TMDB's lists and search, in the first preferred language; see ``TMDB/page(_:query:page:language:lifetime:)``.
package struct TMDBCatalogue: MovieCatalogue {
    let tmdb: TMDB

    package var source: MovieSource { .tmdb }
    package var pageLimit: Int { TMDB.pageLimit }

    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        let query = (region?.code ?? self.tmdb.region).map { [(name: "region", value: $0)] } ?? []
        let found = try await self.tmdb.page(
            "/movie/\(list.rawValue)", query: query, page: page, language: language, lifetime: TMDB.Lifetime.lists)
        guard let found else { throw SourceFailure.badAnswer(.tmdb, reason: "it has no list \(list.rawValue)") }
        return found
    }

    /// When there is nothing, the normalised query is searched for, once, within the time for supplements.
    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let found = try await self.found(query, page: page, language: language)
        guard found.totalResults == 0,
            let meant = NormalisedQuery.text(of: query.text).flatMap({ MovieQuery($0, year: query.year) })
        else { return found }
        do {
            let better = try await Supplement.ask { try await self.found(meant, page: page, language: language) }
            return better.totalResults > 0 ? better : found
        } catch is SourceFailure {
            return found
        }
    }

    private func found(
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
        try await self.tmdb.genres(language: language).all
    }
}
