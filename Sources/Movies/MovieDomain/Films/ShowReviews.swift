/// A page of what people wrote about a film.
public struct ShowReviews: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Its source knows no such film.
        case unknownMovie(MovieID)
        /// Its source gave no answer.
        case source(SourceFailure)
    }

    private let sources: MovieRepositories

    /// - Parameter sources: Who knows which films.
    public init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        of id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<Review> {
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let answer = try await repository.reviews(of: id, page: page, language: language) else {
                throw Failure.unknownMovie(id)
            }
            return answer
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}
