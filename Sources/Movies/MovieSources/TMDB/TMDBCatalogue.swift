package import MovieDomain
import SearchText
import UpstreamClient

/// TMDB's lists, filters and search, in the first preferred language.
package struct TMDBCatalogue: MovieCatalogue {
    let tmdb: TMDB

    package var source: MovieSource { .tmdb }
    package var pageLimit: Int { TMDB.pageLimit }
    package var pageSize: Int { TMDB.pageSize }
    package var filters: Set<FilmFilter.Field> { Set(FilmFilter.Field.allCases) }

    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        try await self.permanent(
            "/movie/\(list.rawValue)", query: Self.region(region), page: page, language: language,
            lifetime: TMDB.Lifetime.lists)
    }

    package func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        guard let parameters = filter.parametersOfTMDB(today: self.tmdb.now().date()) else {
            return Page(page, of: [], size: self.pageSize)
        }
        return try await self.permanent(
            "/discover/movie", query: parameters + Self.region(region), page: page, language: language,
            lifetime: TMDB.Lifetime.search)
    }

    package func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.permanent(
            "/trending/movie/\(period.rawValue)", page: page, language: language,
            lifetime: period == .day ? TMDB.Lifetime.trendingToday : TMDB.Lifetime.trendingThisWeek, isOnePage: true)
    }

    /// A page of a list that always exists.
    private func permanent(
        _ path: String, query: [(name: String, value: String)] = [], page: Int, language: LanguagePreference,
        lifetime: Duration, isOnePage: Bool = false
    ) async throws -> Page<MovieSummary> {
        let found = try await self.tmdb.page(
            path, query: query, page: page, language: language, lifetime: lifetime, isOnePage: isOnePage)
        guard let found else { throw SourceFailure.badAnswer(.tmdb, reason: "the list \(path) is missing") }
        return found.limited(to: TMDB.pageSize)
    }

    private static func region(_ region: Country?) -> [(name: String, value: String)] {
        region.map { [(name: "region", value: $0.code)] } ?? []
    }

    /// Without results, the normalised query is searched once, within the time for supplements.
    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.tmdb.foundOrMeant(query) { try await self.found($0, page: page, language: language) }
    }

    private func found(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let found = try await self.tmdb.page(
            "/search/movie", query: Self.parameters(query), page: page, language: language,
            lifetime: TMDB.Lifetime.search)
        return found?.limited(to: TMDB.pageSize) ?? Page(number: page, results: [], totalPages: 0, totalResults: 0)
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

extension TMDB {
    /// Searches for a query; without results, searches for the normalised query within the time for supplements.
    func foundOrMeant<Element>(
        _ query: MovieQuery, _ find: @Sendable (MovieQuery) async throws -> Page<Element>
    ) async throws -> Page<Element> {
        let found = try await find(query)
        guard found.totalResults == 0,
            let meant = NormalisedQuery.text(of: query.text).flatMap({ MovieQuery($0, year: query.year) })
        else { return found }
        do {
            let better = try await Supplement.ask { try await find(meant) }
            return better.totalResults > 0 ? better : found
        } catch is SourceFailure {
            return found
        }
    }
}

extension FilmFilter {
    /// The minimal number of votes of films sorted by rating: a single vote of 10 is not representative.
    private static let voteCount = 200

    /// The parameters of `/discover/movie`.
    ///
    /// - Parameter today: The last day of films sorted by newest first, which excludes announced films.
    /// - Returns: `nil` if TMDB cannot have such films: it lacks some genres, and has only its own keywords.
    func parametersOfTMDB(today: CalendarDate) -> [(name: String, value: String)]? {
        let genres = self.genres.compactMap(\.tmdbNumber)
        let keyword = self.keyword.flatMap { Keyword.tmdbNumber(ofID: $0) }
        guard genres.count == self.genres.count, keyword != nil || self.keyword == nil else { return nil }
        var to = self.years.flatMap { CalendarDate(year: $0.upperBound, month: 12, day: 31) }
        let from = self.years.flatMap { CalendarDate(year: $0.lowerBound, month: 1, day: 1) }
        if self.sort == .newest, from.map({ $0 <= today }) ?? true { to = min(to ?? today, today) }
        let optional: [(String, String?)] = [
            // Films with all genres; sorted, so that their order does not change the cache key.
            ("with_genres", genres.isEmpty ? nil : genres.sorted().map(String.init).joined(separator: ",")),
            ("primary_release_date.gte", from?.description), ("primary_release_date.lte", to?.description),
            ("with_origin_country", self.country?.code), ("with_original_language", self.originalLanguage?.code),
            ("with_keywords", keyword.map(String.init)),
            ("vote_count.gte", self.sort == .rating ? String(Self.voteCount) : nil),
        ]
        return [("include_adult", "false"), ("include_video", "false"), ("sort_by", self.sort.nameAtTMDB)]
            + optional.compactMap { name, value in value.map { (name, $0) } }
    }
}

extension FilmFilter.Sort {
    fileprivate var nameAtTMDB: String {
        switch self {
        case .popularity: "popularity.desc"
        case .rating: "vote_average.desc"
        case .newest: "primary_release_date.desc"
        case .oldest: "primary_release_date.asc"
        case .title: "title.asc"
        }
    }
}
