public import MovieDomain
import Synchronization

/// Knows the films that a test gives it.
public final class ScriptedMovies: MovieRepository {
    private struct State {
        var movies: [MovieID: Movie] = [:]
        var reviews: [MovieID: [Review]] = [:]
        var similar: [MovieID: [MovieSummary]] = [:]
        var failure: SourceFailure?
    }

    /// As it was made.
    public let source: MovieSource
    private let pageSize: Int
    private let state = Mutex(State())

    /// Knows none.
    public init(source: MovieSource = .embedded, pageSize: Int = 20) {
        self.source = source
        self.pageSize = pageSize
    }

    /// Knows this one.
    public func add(_ movie: Movie, reviews: [Review] = [], similar: [MovieSummary] = []) {
        self.state.withLock { state in
            state.movies[movie.id] = movie
            state.reviews[movie.id] = reviews
            state.similar[movie.id] = similar
        }
    }

    /// From now on nothing is answered; nil answers again.
    public func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// nil when it was given none.
    public func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try self.answer { $0.movies[id] }
    }

    /// Those of the film.
    public func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try self.answer { $0.movies[id]?.credits }
    }

    /// In the order in which they were given.
    public func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try self.answer { $0.reviews[id] }.map { Page(page, of: $0, size: self.pageSize) }
    }

    /// In the order in which they were given.
    public func similar(to id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>? {
        try self.answer { $0.similar[id] }.map { Page(page, of: $0, size: self.pageSize) }
    }

    private func answer<Answer>(_ find: (State) -> Answer) throws -> Answer {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            return find(state)
        }
    }
}
