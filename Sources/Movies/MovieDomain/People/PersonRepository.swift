/// A source of people by id.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol PersonRepository: Sendable {
    /// The source of the people; only ids of this source may be passed.
    var source: MovieSource { get }

    /// A person with all films; `nil` if the source has no person of this id.
    func person(_ id: PersonID, language: LanguagePreference) async throws -> Person?
}

/// A source of searches for people.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol PersonCatalogue: Sendable {
    var source: MovieSource { get }
    /// The last page that can be requested.
    var pageLimit: Int { get }

    /// A page of search results, the best match first. Ignores the query's year.
    /// - Parameter page: From 1 to ``pageLimit``; pages after the last are empty.
    func search(_ query: MovieQuery, page: Int, language: LanguagePreference) async throws -> Page<PersonSummary>
}

/// A person that the source does not have.
package struct UnknownPerson: Error, Hashable, Sendable {
    package let id: PersonID

    package init(_ id: PersonID) {
        self.id = id
    }
}

/// Returns a person with all films.
package struct ShowPerson: Sendable {
    private let repositories: [MovieSource: any PersonRepository]
    private let options: [MovieSource: String]

    /// - Parameters:
    ///   - repositories: At most one per source.
    ///   - options: The options that would configure missing sources.
    package init(_ repositories: [any PersonRepository], off options: [MovieSource: String] = [:]) {
        self.repositories = Dictionary(repositories.map { ($0.source, $0) }) { first, _ in first }
        self.options = options
    }

    /// - Throws: ``UnknownPerson``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ id: PersonID, language: LanguagePreference) async throws -> Person {
        guard let repository = self.repositories[id.source] else {
            throw SourceFailure.off(id.source, option: self.options[id.source] ?? "")
        }
        guard let person = try await repository.person(id, language: language) else { throw UnknownPerson(id) }
        return person
    }
}
