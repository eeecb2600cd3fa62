/// A source of film lists and search results.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol MovieCatalogue: Sendable {
    var source: MovieSource { get }
    /// The last page that can be requested.
    var pageLimit: Int { get }
    /// The number of films per page, 20 by default. The last page may have fewer, and pages with films that could not
    /// be decoded.
    var pageSize: Int { get }

    var filters: Set<FilmFilter.Field> { get }

    /// A page of a list.
    /// - Parameters:
    ///   - page: From 1 to ``pageLimit``; pages after the last are empty.
    ///   - region: The region of the showings; `nil` for the source's default. Ignored by sources of a single region.
    func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary>

    /// A page of the films that match a filter.
    /// - Parameters:
    ///   - filter: Restricted to ``filters``.
    ///   - page: From 1 to ``pageLimit``; pages after the last are empty.
    ///   - region: As for lists.
    func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary>

    /// A page of the films in highest demand.
    /// - Parameter page: From 1 to ``pageLimit``; pages after the last are empty.
    func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>

    /// A page of search results, the best match first.
    /// - Parameter page: From 1 to ``pageLimit``; pages after the last are empty.
    func search(_ query: MovieQuery, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>

    func genres(language: LanguagePreference) async throws -> [Genre]

    func filterChoices(language: LanguagePreference) async throws -> FilterChoices
}

extension MovieCatalogue {
    package var pageSize: Int { 20 }

    /// All but keywords.
    package var filters: Set<FilmFilter.Field> { Set(FilmFilter.Field.allCases).subtracting([.keyword]) }

    /// A page of a list for the source's default region.
    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.list(list, page: page, language: language, region: nil)
    }

    /// The catalogue's genres, and any decade and country.
    package func filterChoices(language: LanguagePreference) async throws -> FilterChoices {
        FilterChoices(genres: try await self.genres(language: language))
    }

    /// Returns an empty page.
    package func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        Page(page, of: [], size: self.pageSize)
    }

    /// Returns an empty page.
    package func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        Page(page, of: [], size: self.pageSize)
    }
}

/// The lists that every catalogue has.
package enum MovieList: String, Hashable, Sendable, CaseIterable {
    case nowPlaying = "now_playing"
    case popular
    case topRated = "top_rated"
    case upcoming
}

/// A search for films.
package struct MovieQuery: Hashable, Sendable {
    /// The maximal length of a text in characters.
    package static let maxLength = 200

    /// Not empty, without leading or trailing white space, at most ``maxLength`` characters.
    package let text: String
    /// The year of the first public showing; `nil` for any.
    package let year: Int?

    /// - Returns: `nil` if the text is empty or too long.
    package init?(_ text: String, year: Int? = nil) {
        var trimmed = Substring(text)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= Self.maxLength else { return nil }
        self.text = String(trimmed)
        self.year = year
    }
}
