/// All genres that the catalogue's films may have.
public struct ShowGenres: Sendable {
    /// Why there are none.
    public enum Failure: Error, Hashable, Sendable {
        /// The catalogue gave no answer.
        case source(SourceFailure)
    }

    private let catalogue: any MovieCatalogue

    /// Of this catalogue.
    public init(catalogue: any MovieCatalogue) {
        self.catalogue = catalogue
    }

    /// - Throws: ``Failure``, `CancellationError`.
    public func callAsFunction(language: LanguagePreference) async throws -> [Genre] {
        do {
            return try await self.catalogue.genres(language: language)
        } catch let failure as SourceFailure {
            throw Failure.source(failure)
        }
    }
}
