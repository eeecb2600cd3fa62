/// A source that has lists of films and can be searched.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol MovieCatalogue: Sendable {
    /// Whose lists they are.
    var source: MovieSource { get }
    /// The last page that can be asked for.
    var pageLimit: Int { get }

    /// - Parameter page: From 1 to ``pageLimit``; behind the last there is an empty one.
    func list(_ list: MovieList, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>

    /// The best match first.
    ///
    /// - Parameter page: From 1 to ``pageLimit``; behind the last there is an empty one.
    func search(_ query: MovieQuery, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>

    /// All that its films may have.
    func genres(language: LanguagePreference) async throws -> [Genre]
}
