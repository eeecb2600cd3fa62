/// A source of films by id. Functions return `nil` if the source has no film of the id.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol MovieRepository: Sendable {
    /// The source of the films; only ids of this source may be passed.
    var source: MovieSource { get }

    func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie?

    /// The scores in the film's details, without further requests for texts.
    func scores(of id: MovieID) async throws -> FilmScores?

    /// The complete cast and crew.
    func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits?

    /// The names that ``CompleteNames`` adds to rows of lists.
    func names(of id: MovieID, language: LanguagePreference) async throws -> FilmNames?

    /// A page of reviews, the latest first.
    /// - Parameter page: From 1; pages after the last are empty.
    func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>?

    /// A page of similar films, without the film itself.
    /// - Parameter page: From 1; pages after the last are empty.
    func similar(to id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>?

    /// Trailers and other videos, in any order.
    func videos(of id: MovieID, language: LanguagePreference) async throws -> [Video]?

    /// All pictures, in all languages.
    func images(of id: MovieID) async throws -> [FilmImage]?

    /// A page of films recommended to those who like the film, without the film itself.
    /// - Parameter page: From 1; pages after the last are empty.
    func recommendations(
        for id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>?

    func offers(of id: MovieID) async throws -> FilmOffers?
}

/// Defaults for sources with all data in a film's details: no reviews, similar films, recommendations or offers.
extension MovieRepository {
    package func scores(of id: MovieID) async throws -> FilmScores? {
        try await self.movie(id, language: LanguagePreference([.english])).map(FilmScores.init)
    }

    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.movie(id, language: language)?.credits
    }

    package func names(of id: MovieID, language: LanguagePreference) async throws -> FilmNames? {
        try await self.credits(of: id, language: language).map { FilmNames($0) }
    }

    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try await self.movie(id, language: language).map { _ in Page(page, of: [], size: 1) }
    }

    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        try await self.movie(id, language: language).map { _ in Page(page, of: [], size: 1) }
    }

    package func videos(of id: MovieID, language: LanguagePreference) async throws -> [Video]? {
        try await self.movie(id, language: language)?.videos
    }

    /// The poster and the gallery, numbered as in ``MoviePictureRepository``.
    package func images(of id: MovieID) async throws -> [FilmImage]? {
        try await self.movie(id, language: LanguagePreference([.korean])).map(FilmImage.images)
    }

    package func recommendations(
        for id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        try await self.movie(id, language: language).map { _ in Page(page, of: [], size: 1) }
    }

    package func offers(of id: MovieID) async throws -> FilmOffers? {
        try await self.movie(id, language: LanguagePreference([.korean])).map { _ in .none }
    }
}

/// The film repositories of all configured sources.
package struct MovieRepositories: Sendable {
    private let repositories: [MovieSource: any MovieRepository]
    package let options: [MovieSource: String]

    /// - Parameter options: The options that would configure missing sources.
    package init(_ repositories: [any MovieRepository], off options: [MovieSource: String] = [:]) {
        self.repositories = Dictionary(repositories.map { ($0.source, $0) }) { first, _ in first }
        self.options = options
    }

    package func repository(of source: MovieSource) throws(SourceFailure) -> any MovieRepository {
        if let repository = self.repositories[source] { return repository }
        throw .off(source, option: self.options[source] ?? "")
    }
}
