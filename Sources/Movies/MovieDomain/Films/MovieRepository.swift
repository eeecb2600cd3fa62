/// What a source knows of single films.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol MovieRepository: Sendable {
    /// Whose films they are: it is only asked for those.
    var source: MovieSource { get }

    /// A film; nil when there is none of that id.
    func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie?

    /// All who made it; nil when there is no such film.
    func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits?

    /// The latest first; nil when there is no such film.
    ///
    /// - Parameter page: From 1; behind the last there is an empty one.
    func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>?

    /// Films like it, without it; nil when there is no such film.
    ///
    /// - Parameter page: From 1; behind the last there is an empty one.
    func similar(to id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>?
}
