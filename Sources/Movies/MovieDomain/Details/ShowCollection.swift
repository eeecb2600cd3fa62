/// A collection that the source does not have.
package struct UnknownCollection: Error, Hashable, Sendable {
    package let id: CollectionID

    package init(_ id: CollectionID) {
        self.id = id
    }
}

/// Returns a collection with its films.
package struct ShowCollection: Sendable {
    private let repositories: [MovieSource: any FilmCollectionRepository]
    private let options: [MovieSource: String]

    /// - Parameters:
    ///   - repositories: At most one per source.
    ///   - options: The options that would configure missing sources. Collections of all other sources are unknown.
    package init(_ repositories: [any FilmCollectionRepository], off options: [MovieSource: String] = [:]) {
        self.repositories = Dictionary(repositories.map { ($0.source, $0) }) { first, _ in first }
        self.options = options
    }

    /// - Throws: ``UnknownCollection``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ id: CollectionID, language: LanguagePreference) async throws -> FilmCollection {
        if self.repositories[id.source] == nil, let option = self.options[id.source] {
            throw SourceFailure.off(id.source, option: option)
        }
        guard let collection = try await self.repositories[id.source]?.collection(id, language: language) else {
            throw UnknownCollection(id)
        }
        return collection
    }
}
