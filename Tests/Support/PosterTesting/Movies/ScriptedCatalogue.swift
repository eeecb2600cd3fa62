package import Flights
package import MovieDomain
import Synchronization

/// A catalogue with the answers that a test sets.
package final class ScriptedCatalogue: MovieCatalogue {
    /// A request, without its page.
    package enum Question: Hashable, Sendable {
        case list(MovieList)
        case search(MovieQuery)
        case discover(FilmFilter)
        case trending(TrendingPeriod)
        case genres
    }

    private struct State {
        var movies: [Question: [MovieSummary]] = [:]
        var genres: [Genre] = []
        var choices: FilterChoices?
        var failures: [Question: SourceFailure] = [:]
        var asked: [Question] = []
        var languages: [LanguagePreference] = []
        var regions: [Country?] = []
    }

    /// As initialised.
    package let source: MovieSource
    /// As initialised.
    package let pageLimit: Int
    /// As initialised.
    package let pageSize: Int
    /// As initialised.
    package let filters: Set<FilmFilter.Field>
    /// Every request waits for it; nil answers at once.
    private let gate: Gate?
    private let willAnswer: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// An empty catalogue.
    ///
    /// - Parameters:
    ///   - gate: Every request waits for it; nil answers at once.
    ///   - willAnswer: Runs in the task of every request.
    package init(
        source: MovieSource = .embedded, pageSize: Int = 20, pageLimit: Int = 500,
        filters: Set<FilmFilter.Field> = Set(FilmFilter.Field.allCases), gate: Gate? = nil,
        willAnswer: (@Sendable () -> Void)? = nil
    ) {
        self.source = source
        self.pageSize = pageSize
        self.pageLimit = pageLimit
        self.filters = filters
        self.gate = gate
        self.willAnswer = willAnswer
    }

    /// The requests, in order.
    package var asked: [Question] { self.state.withLock { $0.asked } }

    /// The requested languages, in order.
    package var languages: [LanguagePreference] { self.state.withLock { $0.languages } }

    /// The requested regions of lists and filters, in order.
    package var regions: [Country?] { self.state.withLock { $0.regions } }

    /// Sets the results of a request.
    package func set(_ movies: [MovieSummary], for question: Question) {
        self.state.withLock { $0.movies[question] = movies }
    }

    /// Sets the genres.
    package func set(_ genres: [Genre]) {
        self.state.withLock { $0.genres = genres }
    }

    /// Sets what a form offers; else it is the genres.
    package func set(_ choices: FilterChoices) {
        self.state.withLock { $0.choices = choices }
    }

    /// Fails a request from now on; nil stops that.
    package func fail(_ question: Question, with failure: SourceFailure?) {
        self.state.withLock { $0.failures[question] = failure }
    }

    /// A page of the results that were set.
    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        self.state.withLock { $0.regions.append(region) }
        return try await self.page(page, of: .list(list), language)
    }

    /// A page of the results that were set.
    package func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        self.state.withLock { $0.regions.append(region) }
        return try await self.page(page, of: .discover(filter), language)
    }

    /// A page of the results that were set.
    package func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.page(page, of: .trending(period), language)
    }

    /// A page of the results that were set.
    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.page(page, of: .search(query), language)
    }

    /// The genres that were set.
    package func genres(language: LanguagePreference) async throws -> [Genre] {
        try await self.ask(.genres, language) { $0.genres }
    }

    /// Fails as the genres do.
    package func filterChoices(language: LanguagePreference) async throws -> FilterChoices {
        try await self.ask(.genres, language) { $0.choices ?? FilterChoices(genres: $0.genres) }
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
        self.willAnswer?()
        return try self.state.withLock { state in
            if let failure = state.failures[question] { throw failure }
            return answer(state)
        }
    }
}
