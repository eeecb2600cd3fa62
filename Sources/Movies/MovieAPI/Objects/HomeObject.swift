import HTTPSemantics
import MovieDomain
import MovieHTTP

/// All lists at once, as clients show them first.
struct HomeObject: Encodable, Sendable {
    /// A list's first page, or why it is not there.
    struct Section: Encodable, Sendable {
        /// In lower camel case.
        let id: String
        /// As the list is asked for.
        let list: String
        /// For people.
        let title: String
        /// Empty with a problem.
        let results: [MovieSummaryObject]
        /// nil with a problem.
        let totalPages, totalResults: Int?
        /// nil when it is there.
        let problem: ProblemObject?

        /// - Parameters:
        ///   - page: nil with a failure.
        ///   - results: In place of the page's own.
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
    /// What has to be shown beside it; nil when nothing has to.
    let attribution: [String]?
}

/// What is wrong with a part of an answer.
struct ProblemObject: Encodable, Hashable, Sendable {
    /// Who failed.
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
