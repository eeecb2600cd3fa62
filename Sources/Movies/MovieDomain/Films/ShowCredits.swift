/// All who made a film.
public struct ShowCredits: Sendable {
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

    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        of id: MovieID, language: LanguagePreference
    ) async throws -> Credits {
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let answer = try await repository.credits(of: id, language: language) else {
                throw Failure.unknownMovie(id)
            }
            return answer
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}
