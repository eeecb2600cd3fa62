/// A source that has lists of films and can be searched.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol MovieCatalogue: Sendable {
    /// Whose lists they are.
    var source: MovieSource { get }
    /// The last page that can be asked for.
    var pageLimit: Int { get }
    /// How many films a page has a place for, the last one but what is left: 20 unless it is said. There may be fewer on it, where a
    /// source told of some in a way that makes no sense.
    var pageSize: Int { get }

    /// - Parameter page: From 1 to ``pageLimit``; behind the last there is an empty one.
    func list(_ list: MovieList, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>

    /// The best match first.
    ///
    /// - Parameter page: From 1 to ``pageLimit``; behind the last there is an empty one.
    func search(_ query: MovieQuery, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>

    /// All that its films may have.
    func genres(language: LanguagePreference) async throws -> [Genre]
}

extension MovieCatalogue {
    /// 20.
    public var pageSize: Int { 20 }
}

/// The lists that every catalogue of films has.
public enum MovieList: String, Hashable, Sendable, CaseIterable {
    case nowPlaying = "now_playing"
    case popular
    case topRated = "top_rated"
    case upcoming
}

/// What somebody looks for.
public struct MovieQuery: Hashable, Sendable {
    /// The longest text, in characters.
    public static let maxLength = 200

    /// Not empty, without outer white space, at most ``maxLength`` characters.
    public let text: String
    /// Of the first public showing; nil for any.
    public let year: Int?

    /// - Returns: nil for a text that is empty, or too long.
    public init?(_ text: String, year: Int? = nil) {
        var trimmed = Substring(text)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= Self.maxLength else { return nil }
        self.text = String(trimmed)
        self.year = year
    }
}
