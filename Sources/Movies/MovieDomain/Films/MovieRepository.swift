/// A source of single films.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol MovieRepository: Sendable {
    /// The source of the films; only ids of this source may be passed.
    var source: MovieSource { get }

    /// A film; nil when the source has none of that id.
    func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie?

    /// The complete cast and crew; nil when there is no such film.
    func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits?

    /// The latest reviews first; nil when there is no such film.
    /// - Parameter page: From 1; pages after the last are empty.
    func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>?

    /// Similar films, without the film itself; nil when there is no such film.
    /// - Parameter page: From 1; pages after the last are empty.
    func similar(to id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>?
}

/// For sources that have neither reviews nor similar films, and all of the credits in the film's details.
extension MovieRepository {
    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.movie(id, language: language)?.credits
    }

    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try await self.movie(id, language: language).map { _ in Page(page, of: [], size: 1) }
    }

    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        try await self.movie(id, language: language).map { _ in Page(page, of: [], size: 1) }
    }
}

/// The film repositories of all configured sources.
package struct MovieRepositories: Sendable {
    private let repositories: [MovieSource: any MovieRepository]
    /// Sources that are not configured, with the option that would configure them.
    package let options: [MovieSource: String]

    /// - Parameter options: Sources that are not configured, with the option that would configure them.
    package init(_ repositories: [any MovieRepository], off options: [MovieSource: String] = [:]) {
        self.repositories = Dictionary(repositories.map { ($0.source, $0) }) { first, _ in first }
        self.options = options
    }

    package func repository(of source: MovieSource) throws(SourceFailure) -> any MovieRepository {
        if let repository = self.repositories[source] { return repository }
        throw .off(source, option: self.options[source] ?? "")
    }
}
