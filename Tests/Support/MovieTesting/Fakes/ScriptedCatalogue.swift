package import Flights
package import MovieDomain
import Synchronization

/// A catalogue with results set by a test.
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

    package let source: MovieSource
    package let pageLimit: Int
    package let pageSize: Int
    package let filters: Set<FilmFilter.Field>
    private let gate: Gate?
    private let willAnswer: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// An empty catalogue.
    ///
    /// - Parameters:
    ///   - gate: Delays all results until it opens; `nil` answers at once.
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

    package var asked: [Question] { self.state.withLock { $0.asked } }

    package var languages: [LanguagePreference] { self.state.withLock { $0.languages } }

    /// The requested regions of lists and filters, in order.
    package var regions: [Country?] { self.state.withLock { $0.regions } }

    package func set(_ movies: [MovieSummary], for question: Question) {
        self.state.withLock { $0.movies[question] = movies }
    }

    package func set(_ genres: [Genre]) {
        self.state.withLock { $0.genres = genres }
    }

    /// Sets the choices of filter forms; by default they are only the genres.
    package func set(_ choices: FilterChoices) {
        self.state.withLock { $0.choices = choices }
    }

    /// Makes following requests fail; `nil` clears the failure.
    package func fail(_ question: Question, with failure: SourceFailure?) {
        self.state.withLock { $0.failures[question] = failure }
    }

    package func list(
        _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        self.state.withLock { $0.regions.append(region) }
        return try await self.page(page, of: .list(list), language)
    }

    package func discover(
        _ filter: FilmFilter, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> Page<MovieSummary> {
        self.state.withLock { $0.regions.append(region) }
        return try await self.page(page, of: .discover(filter), language)
    }

    package func trending(
        _ period: TrendingPeriod, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.page(page, of: .trending(period), language)
    }

    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.page(page, of: .search(query), language)
    }

    package func genres(language: LanguagePreference) async throws -> [Genre] {
        try await self.ask(.genres, language) { $0.genres }
    }

    /// Fails with the failure set for ``Question/genres``.
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
