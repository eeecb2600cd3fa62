package import MovieDomain
import Synchronization

/// People and collections that a test adds.
package final class ScriptedPeople: PersonRepository, PersonCatalogue, FilmCollectionRepository {
    private struct State {
        var people: [PersonID: Person] = [:]
        var collections: [CollectionID: FilmCollection] = [:]
        var found: [MovieQuery: [PersonSummary]] = [:]
        var failure: SourceFailure?
        var languages: [LanguagePreference] = []
    }

    /// As initialised.
    package let source: MovieSource
    /// As initialised.
    package let pageLimit: Int
    private let pageSize: Int
    private let state = Mutex(State())

    /// Nobody and nothing.
    package init(source: MovieSource = .embedded, pageSize: Int = 20, pageLimit: Int = 500) {
        self.source = source
        self.pageSize = pageSize
        self.pageLimit = pageLimit
    }

    /// The requested languages, in order.
    package var languages: [LanguagePreference] { self.state.withLock { $0.languages } }

    /// Adds a person.
    package func add(_ person: Person) {
        self.state.withLock { $0.people[person.id] = person }
    }

    /// Adds a collection.
    package func add(_ collection: FilmCollection) {
        self.state.withLock { $0.collections[collection.reference.id] = collection }
    }

    /// Sets the results of a search.
    package func set(_ found: [PersonSummary], for query: MovieQuery) {
        self.state.withLock { $0.found[query] = found }
    }

    /// Fails all calls from now on; nil stops that.
    package func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// nil when nobody of that id was added.
    package func person(_ id: PersonID, language: LanguagePreference) async throws -> Person? {
        try self.answer(language) { $0.people[id] }
    }

    /// nil when none of that id was added.
    package func collection(_ id: CollectionID, language: LanguagePreference) async throws -> FilmCollection? {
        try self.answer(language) { $0.collections[id] }
    }

    /// A page of the results that were set.
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
