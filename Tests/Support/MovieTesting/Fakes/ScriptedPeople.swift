package import MovieDomain
import Synchronization

/// A repository with people and collections added by a test.
package final class ScriptedPeople: PersonRepository, PersonCatalogue, FilmCollectionRepository {
    private struct State {
        var people: [PersonID: Person] = [:]
        var collections: [CollectionID: FilmCollection] = [:]
        var found: [MovieQuery: [PersonSummary]] = [:]
        var failure: SourceFailure?
        var languages: [LanguagePreference] = []
    }

    package let source: MovieSource
    package let pageLimit: Int
    private let pageSize: Int
    private let state = Mutex(State())

    package init(source: MovieSource = .embedded, pageSize: Int = 20, pageLimit: Int = 500) {
        self.source = source
        self.pageSize = pageSize
        self.pageLimit = pageLimit
    }

    package var languages: [LanguagePreference] { self.state.withLock { $0.languages } }

    package func add(_ person: Person) {
        self.state.withLock { $0.people[person.id] = person }
    }

    package func add(_ collection: FilmCollection) {
        self.state.withLock { $0.collections[collection.reference.id] = collection }
    }

    package func set(_ found: [PersonSummary], for query: MovieQuery) {
        self.state.withLock { $0.found[query] = found }
    }

    /// Makes all following calls fail; `nil` clears the failure.
    package func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    package func person(_ id: PersonID, language: LanguagePreference) async throws -> Person? {
        try self.answer(language) { $0.people[id] }
    }

    package func collection(_ id: CollectionID, language: LanguagePreference) async throws -> FilmCollection? {
        try self.answer(language) { $0.collections[id] }
    }

    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<PersonSummary> {
        Page(page, of: try self.answer(language) { $0.found[query] ?? [] }, size: self.pageSize)
    }

    private func answer<Answer>(_ language: LanguagePreference, _ find: (State) -> Answer) throws -> Answer {
        try self.state.withLock { state in
            state.languages.append(language)
            if let failure = state.failure { throw failure }
            return find(state)
        }
    }
}
