package import Flights
package import MovieDomain
import Synchronization

/// A repository with the films that a test adds.
package final class ScriptedMovies: MovieRepository {
    private struct State {
        var movies: [MovieID: Movie] = [:]
        var translations: [MovieID: [Language: Movie]] = [:]
        var reviews: [MovieID: [Review]] = [:]
        var similar: [MovieID: [MovieSummary]] = [:]
        var recommendations: [MovieID: [MovieSummary]] = [:]
        var images: [MovieID: [FilmImage]] = [:]
        var offers: [MovieID: FilmOffers] = [:]
        var failure: SourceFailure?
    }

    package let source: MovieSource
    private let pageSize: Int
    private let willAnswer: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// An empty repository.
    ///
    /// - Parameter willAnswer: Runs in the task of every call.
    package init(
        source: MovieSource = .embedded, pageSize: Int = 20, willAnswer: (@Sendable () -> Void)? = nil
    ) {
        self.source = source
        self.pageSize = pageSize
        self.willAnswer = willAnswer
    }

    package func add(_ movie: Movie, reviews: [Review] = [], similar: [MovieSummary] = []) {
        self.state.withLock { state in
            state.movies[movie.id] = movie
            state.reviews[movie.id] = reviews
            state.similar[movie.id] = similar
        }
    }

    /// Adds a film in one language; other languages get the film added without one.
    package func add(_ movie: Movie, in language: Language) {
        self.state.withLock { $0.translations[movie.id, default: [:]][language] = movie }
    }

    package func set(recommendations: [MovieSummary], for id: MovieID) {
        self.state.withLock { $0.recommendations[id] = recommendations }
    }

    /// Sets all pictures of a film that was added; the default is its poster and its gallery.
    package func set(images: [FilmImage], of id: MovieID) {
        self.state.withLock { $0.images[id] = images }
    }

    package func set(offers: FilmOffers, of id: MovieID) {
        self.state.withLock { $0.offers[id] = offers }
    }

    /// Makes all following calls fail; `nil` clears the failure.
    package func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try self.answer { $0.translations[id]?[language.first] ?? $0.movies[id] }
    }

    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try self.answer { $0.movies[id]?.credits }
    }

    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try self.answer { $0.reviews[id] }.map { Page(page, of: $0, size: self.pageSize) }
    }

    package func similar(to id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<MovieSummary>? {
        try self.answer { $0.similar[id] }.map { Page(page, of: $0, size: self.pageSize) }
    }

    package func images(of id: MovieID) async throws -> [FilmImage]? {
        try self.answer { state in
            state.movies[id].map { state.images[id] ?? FilmImage.images(of: $0) }
        }
    }

    package func recommendations(
        for id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        try self.answer { state in state.movies[id].map { _ in state.recommendations[id] ?? [] } }
            .map { Page(page, of: $0, size: self.pageSize) }
    }

    package func offers(of id: MovieID) async throws -> FilmOffers? {
        try self.answer { state in state.movies[id].map { _ in state.offers[id] ?? .none } }
    }

    private func answer<Answer>(_ find: (State) -> Answer) throws -> Answer {
        self.willAnswer?()
        return try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            return find(state)
        }
    }
}

/// A supplement repository with results set by a test.
package final class ScriptedSupplements: SupplementRepository {
    package let source: MovieSource
    private let answers: Mutex<[String: Result<MovieSupplement, SourceFailure>]>
    private let gate: Gate?

    /// - Parameters:
    ///   - answers: Results by IMDb id.
    ///   - gate: Answers wait until it is open.
    package init(
        source: MovieSource = .omdb, _ answers: [String: Result<MovieSupplement, SourceFailure>], gate: Gate? = nil
    ) {
        self.source = source
        self.gate = gate
        self.answers = Mutex(answers)
    }

    package func supplement(imdbID: String) async throws -> MovieSupplement? {
        try await self.gate?.wait()
        return try self.answers.withLock { $0[imdbID] }?.get()
    }
}
