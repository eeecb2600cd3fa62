import Testing

@testable import MovieCompatibility

/// A recorded response of KOBIS, iTunes, Kakao or Naver, and its request.
struct RecordedResponse: Sendable, CustomTestStringConvertible {
    /// The subject of a response, which determines the members that apps read.
    enum Kind: Hashable, Sendable {
        case daily, weekly, film, filmList, apps, storeFilms, pictures, searchResults
    }

    let api: CompatibleAPI
    /// The file's name without its extension.
    let name: String
    let kind: Kind
    /// Relative to the API's base, both here and at the service.
    let target: String

    private init(_ api: CompatibleAPI, _ name: String, _ kind: Kind, _ target: String) {
        self.api = api
        self.name = name
        self.kind = kind
        self.target = target
    }

    var testDescription: String { "\(self.api.rawValue)/\(self.name)" }
    var path: String { String(self.target.prefix { $0 != "?" }) }
    /// The target at this server.
    var localTarget: String { Self.base(of: self.api) + self.target }

    var bytes: [UInt8] { get throws { try Samples.bytes("\(self.testDescription).json") } }
    var json: OrderedJSON { get throws { try OrderedJSON(parsing: try self.bytes) } }

    static func base(of api: CompatibleAPI) -> String {
        api.base + (api == .kobis ? "/kobisopenapi/webservice/rest" : "")
    }
}

// MARK: The table

extension RecordedResponse {
    private static let daily = "/boxoffice/searchDailyBoxOfficeList.json?key=k&targetDt="
    private static let weekly = "/boxoffice/searchWeeklyBoxOfficeList.json?key=k&targetDt="
    private static let film = "/movie/searchMovieInfo.json?key=k&movieCd="

    /// Responses of existing services.
    static let ofServices = [
        RecordedResponse(.kobis, "daily_20120101", .daily, Self.daily + "20120101"),
        RecordedResponse(.kobis, "daily_20220105", .daily, Self.daily + "20220105"),
        RecordedResponse(.kobis, "daily_20220315", .daily, Self.daily + "20220315"),
        RecordedResponse(.kobis, "daily_20221221", .daily, Self.daily + "20221221"),
        RecordedResponse(.kobis, "weekend_20120101", .weekly, Self.weekly + "20120101"),
        RecordedResponse(.kobis, "weekly_20150104_first4", .weekly, Self.weekly + "20150104&weekGb=0"),
        RecordedResponse(.kobis, "movie_info_20124079", .film, Self.film + "20124079"),
        RecordedResponse(.kobis, "movie_info_20199882", .film, Self.film + "20199882"),
        RecordedResponse(.kobis, "movie_info_20218541", .film, Self.film + "20218541"),
        RecordedResponse(.kobis, "movie_list_page1", .filmList, "/movie/searchMovieList.json?key=k"),
        RecordedResponse(.itunes, "search_software_50", .apps, "/search?term=yelp&media=software&country=kr"),
        RecordedResponse(.itunes, "search_software_bbedit", .apps, "/search?term=bbedit&media=software&country=kr"),
        RecordedResponse(.itunes, "search_software_tweetbot", .apps, "/search?term=tweetbot&media=software"),
        RecordedResponse(.itunes, "search_empty", .apps, "/search?term=nonexistent&media=software"),
        RecordedResponse(.itunes, "lookup_software_things", .apps, "/lookup?id=904280696&country=kr"),
        RecordedResponse(.itunes, "search_movie_star_wars", .storeFilms, "/search?term=star+wars&media=movie"),
        RecordedResponse(.kakao, "image_search_page1", .pictures, "/v2/search/image?query=a"),
        RecordedResponse(.kakao, "image_search_empty", .pictures, "/v2/search/image?query=a"),
    ]

    /// Responses of Naver's discontinued search: `유전`, `그것` and `주식`.
    static let ofNaver = [
        RecordedResponse(
            .naver, "movie_search_heredity_2018", .searchResults,
            "/v1/search/movie.json?query=%EC%9C%A0%EC%A0%84&display=20"),
        RecordedResponse(
            .naver, "movie_search_it_2018_html_entities", .searchResults,
            "/v1/search/movie.json?query=%EA%B7%B8%EA%B2%83&display=20"),
        RecordedResponse(
            .naver, "movie_search_mock", .searchResults,
            "/v1/search/movie.json?query=%EC%A3%BC%EC%8B%9D&display=20"),
    ]
}
