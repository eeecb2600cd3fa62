package import MovieDomain
import Synchronization

/// A link repository in memory.
package final class MemoryFilmLinks: FilmLinkRepository {
    private struct State {
        /// Links by film.
        var links: [MovieID: FilmLink] = [:]
        var failure: StorageFailure?
    }

    private let state = Mutex(State())

    package init(_ links: [FilmLink] = []) {
        self.state.withLock { state in
            for link in links { state.links[link.film] = link }
        }
    }

    /// Makes all following calls fail; `nil` clears the failure.
    package func fail(with failure: StorageFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    package func links(of ids: [MovieID]) async throws -> [FilmLink] {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            let counterparts = Set(ids.map { state.links[$0]?.counterpart ?? $0 })
            return state.links.values.filter { counterparts.contains($0.counterpart) }
        }
    }

    package func keep(_ link: FilmLink) async throws {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            state.links[link.film] = link
        }
    }
}
