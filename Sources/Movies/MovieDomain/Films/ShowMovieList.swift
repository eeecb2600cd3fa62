/// A page of one of the catalogue's lists.
public struct ShowMovieList: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// The catalogue gave no answer.
        case source(SourceFailure)
    }

    private let catalogue: any MovieCatalogue

    /// Of this catalogue.
    public init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Parameter page: From 1 to the catalogue's limit; behind the last there is an empty one.
    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        do {
            return try await self.catalogue.list(list, page: page, language: language)
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}
