/// A source of film lists and search results.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol MovieCatalogue: Sendable {
    /// The source of the lists.
    var source: MovieSource { get }
    /// The last page that may be requested.
    var pageLimit: Int { get }
    /// The number of films of a page, 20 by default. A page may have fewer: the last one, and where the source sent films that
    /// cannot be decoded.
    var pageSize: Int { get }

    /// What ``discover(_:page:language:region:)`` can choose films by.
    var filters: Set<FilmFilter.Field> { get }

    /// A page of a list.
    /// - Parameters:
    ///   - page: From 1 to ``pageLimit``; pages after the last are empty.
    ///   - region: Where the films are shown; nil for the source's own choice. Ignored by sources that know one region only.
    func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary>

    /// A page of the films that a filter chooses.
    /// - Parameters:
    ///   - filter: Of fields in ``filters``.
    ///   - page: From 1 to ``pageLimit``; pages after the last are empty.
    ///   - region: As for lists.
    func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary>

    /// A page of the films that are most in demand.
    /// - Parameter page: From 1 to ``pageLimit``; pages after the last are empty.
    func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>

    /// A page of search results, the best match first.
    /// - Parameter page: From 1 to ``pageLimit``; pages after the last are empty.
    func search(_ query: MovieQuery, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>

    /// All genres of the source.
    func genres(language: LanguagePreference) async throws -> [Genre]

    /// What a form offers to choose films by.
    func filterChoices(language: LanguagePreference) async throws -> FilterChoices
}

extension MovieCatalogue {
    /// 20.
    package var pageSize: Int { 20 }

    /// All but keywords.
    package var filters: Set<FilmFilter.Field> { Set(FilmFilter.Field.allCases).subtracting([.keyword]) }

    /// A page of a list, in the source's own choice of region.
    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.list(list, page: page, language: language, region: nil)
    }

    /// Its genres, and any decade and country.
    package func filterChoices(language: LanguagePreference) async throws -> FilterChoices {
        FilterChoices(genres: try await self.genres(language: language))
    }

    /// Empty.
    package func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        Page(page, of: [], size: self.pageSize)
    }

    /// Empty.
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
    /// The longest text, in characters.
    package static let maxLength = 200

    /// Not empty, without leading or trailing white space, at most ``maxLength`` characters.
    package let text: String
    /// The year of the first public showing; nil for any.
    package let year: Int?

    /// - Returns: nil for a text that is empty or too long.
    package init?(_ text: String, year: Int? = nil) {
        var trimmed = Substring(text)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= Self.maxLength else { return nil }
        self.text = String(trimmed)
        self.year = year
    }
}
