import HTTPSemantics
import MovieDomain

/// A list of films with a page of its own.
enum FilmList: String, CaseIterable, Sendable {
    case nowPlaying = "now-playing"
    case popular
    case topRated = "top-rated"
    case upcoming
    case trendingDay = "trending-day"
    case trendingWeek = "trending-week"

    init(_ list: MovieList) {
        self =
            switch list {
            case .nowPlaying: .nowPlaying
            case .popular: .popular
            case .topRated: .topRated
            case .upcoming: .upcoming
            }
    }

    var path: String { "/lists/\(self.rawValue)" }

    /// Of its name.
    var textKey: String {
        switch self {
        case .nowPlaying: "listNowPlaying"
        case .popular: "listPopular"
        case .topRated: "listTopRated"
        case .upcoming: "listUpcoming"
        case .trendingDay: "listTrendingDay"
        case .trendingWeek: "listTrendingWeek"
        }
    }

    /// A page of it.
    func films(
        of catalogue: any MovieCatalogue, page: Int, language: LanguagePreference, region: Country?
    ) async throws -> MovieDomain.Page<MovieSummary> {
        switch self {
        case .nowPlaying: try await catalogue.list(.nowPlaying, page: page, language: language, region: region)
        case .popular: try await catalogue.list(.popular, page: page, language: language, region: region)
        case .topRated: try await catalogue.list(.topRated, page: page, language: language, region: region)
        case .upcoming: try await catalogue.list(.upcoming, page: page, language: language, region: region)
        case .trendingDay: try await catalogue.trending(.day, page: page, language: language)
        case .trendingWeek: try await catalogue.trending(.week, page: page, language: language)
        }
    }
}
