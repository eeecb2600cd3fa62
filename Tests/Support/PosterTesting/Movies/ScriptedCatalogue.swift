public import MovieDomain
import Synchronization

/// A catalogue that answers what a test says.
public final class ScriptedCatalogue: MovieCatalogue {
    /// What is asked of it.
    public enum Question: Hashable, Sendable {
        case list(MovieList)
        case search(MovieQuery)
        case genres
    }

    private struct State {
        var movies: [Question: [MovieSummary]] = [:]
        var genres: [Genre] = []
        var failures: [Question: SourceFailure] = [:]
        var asked: [Question] = []
        var languages: [LanguagePreference] = []
    }

    /// As it was made.
    public let source: MovieSource
    /// As it was made.
    public let pageLimit: Int
    /// As it was made.
    public let pageSize: Int
    /// What each question waits for; nil for nothing.
    private let gate: Gate?
    private let state = Mutex(State())

    /// An empty one.
    ///
    /// - Parameter gate: What each question waits for; nil for nothing.
    public init(source: MovieSource = .embedded, pageSize: Int = 20, pageLimit: Int = 500, gate: Gate? = nil) {
        self.source = source
        self.pageSize = pageSize
        self.pageLimit = pageLimit
        self.gate = gate
    }

    /// What was asked, in turn.
    public var asked: [Question] { self.state.withLock { $0.asked } }

    /// The languages that were asked for, in turn.
    public var languages: [LanguagePreference] { self.state.withLock { $0.languages } }

    /// All pages of an answer.
    public func set(_ movies: [MovieSummary], for question: Question) {
        self.state.withLock { $0.movies[question] = movies }
    }

    /// All genres.
    public func set(_ genres: [Genre]) {
        self.state.withLock { $0.genres = genres }
    }

    /// From now on this question has no answer; nil gives it one again.
    public func fail(_ question: Question, with failure: SourceFailure?) {
        self.state.withLock { $0.failures[question] = failure }
    }

    /// One of its pages.
    public func list(
        _ list: MovieList, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.page(page, of: .list(list), language)
    }

    /// One of its pages.
    public func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.page(page, of: .search(query), language)
    }

    /// All of them.
    public func genres(language: LanguagePreference) async throws -> [Genre] {
        try await self.ask(.genres, language) { $0.genres }
    }

    private func page(
        _ page: Int, of question: Question, _ language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        let movies = try await self.ask(question, language) { $0.movies[question] ?? [] }
        return Page(page, of: movies, size: self.pageSize)
    }

    private func ask<Answer: Sendable>(
        _ question: Question, _ language: LanguagePreference, _ answer: (State) -> Answer
    ) async throws -> Answer {
        self.state.withLock { state in
            state.asked.append(question)
            state.languages.append(language)
        }
        try await self.gate?.wait()
        return try self.state.withLock { state in
            if let failure = state.failures[question] { throw failure }
            return answer(state)
        }
    }
}
