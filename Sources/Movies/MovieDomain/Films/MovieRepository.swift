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

/// Everybody who knows single films, by source.
public struct MovieRepositories: Sendable {
    private let repositories: [MovieSource: any MovieRepository]
    /// Of those that are not there: what would switch them on.
    public let options: [MovieSource: String]

    /// - Parameters:
    ///   - repositories: Those that are there.
    ///   - options: Of those that are not: what would switch them on.
    public init(_ repositories: [any MovieRepository], off options: [MovieSource: String] = [:]) {
        self.repositories = Dictionary(repositories.map { ($0.source, $0) }) { first, _ in first }
        self.options = options
    }

    /// Whoever knows the films of a source.
    ///
    /// - Throws: ``SourceFailure/off(_:option:)``.
    public func repository(of source: MovieSource) throws(SourceFailure) -> any MovieRepository {
        if let repository = self.repositories[source] { return repository }
        throw .off(source, option: self.options[source] ?? "")
    }
}
