import HTTPSemantics
import MovieDomain
import MovieHTTP

/// The first pages of all lists, for a client's first screen.
struct HomeObject: Encodable, Sendable {
    /// The first page of a list, or the reason for its absence.
    struct Section: Encodable, Sendable {
        /// In lower camel case.
        let id: String
        /// The name in the list's path.
        let list: String
        /// For display.
        let title: String
        /// Empty with a problem.
        let results: [MovieSummaryObject]
        /// `nil` with a problem.
        let totalPages, totalResults: Int?
        /// `nil` if the list is available.
        let problem: ProblemObject?

        /// - Parameters:
        ///   - page: `nil` with a failure.
        ///   - results: The page's films as JSON objects.
        init(
            _ list: MovieList, _ language: LanguagePreference, page: Page<MovieSummary>? = nil,
            results: [MovieSummaryObject] = [], failure: SourceFailure? = nil
        ) {
            self.id = list.name
            self.list = list.rawValue
            self.title = language.choice(from: list.titles, original: nil)?.text ?? list.name
            self.results = results
            self.totalPages = page?.totalPages
            self.totalResults = page?.totalResults
            self.problem = failure.map(ProblemObject.init)
        }
    }

    let sections: [Section]
    /// `nil` if the source requires no notice.
    let attribution: [String]?
}

/// The problem of a part of a response.
struct ProblemObject: Encodable, Hashable, Sendable {
    let source: String
    let type, title, detail: String
    let status: Int

    init(_ failure: SourceFailure) {
        let problem = failure.problem
        self.source = failure.source.rawValue
        self.type = problem.kind.type
        self.title = problem.kind.title
        self.status = problem.kind.status
        self.detail = problem.detail
    }
}

extension MovieList {
    /// In lower camel case.
    fileprivate var name: String {
        switch self {
        case .nowPlaying: "nowPlaying"
        case .popular: "popular"
        case .topRated: "topRated"
        case .upcoming: "upcoming"
        }
    }

    fileprivate var titles: [String: String] {
        switch self {
        case .nowPlaying: ["ko": "현재 상영작", "en": "Now playing", "ja": "上映中"]
        case .popular: ["ko": "인기 영화", "en": "Popular", "ja": "人気"]
        case .topRated: ["ko": "평점 높은 영화", "en": "Top rated", "ja": "高評価"]
        case .upcoming: ["ko": "개봉 예정작", "en": "Upcoming", "ja": "公開予定"]
        }
    }
}
