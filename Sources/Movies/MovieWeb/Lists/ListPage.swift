import HTTPSemantics
import MovieDomain
import MovieHTTP

/// `GET /lists/{list}`: a page of a list.
struct ListPage: Sendable {
    static func register(on responder: PageResponder) {
        responder.get("/lists/:list", known: ["page"], lifetime: CacheLifetime.list) { request in
            try await ListPage(request).page()
        }
    }

    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    func page() async throws -> Page {
        guard let list = FilmList(pathName: self.request.segments[1]) else {
            let names = FilmList.allCases.map(\.pathName).joined(separator: ", ")
            throw Problem(.notFound, "there is no such list of films; the lists are \(names)")
        }
        let catalogue = self.request.site.services.catalogue
        let films = try await list.page(
            try self.request.pageNumber(upTo: catalogue.pageLimit), of: catalogue, language: self.request.language,
            region: self.request.region)
        let formats = self.request.formats
        var grid = FilmGrid(heading: formats(list.textKey))
        grid.nothing = formats("listNothing")
        grid.lists = FilmList.allCases.map { other in
            [
                "name": formats(other.textKey), "url": self.request.links.url(other.path), "isHere": other == list,
            ]
        }
        var page = try grid.page(films, of: catalogue, in: self.request)
        page.navigation = .lists
        return page
    }
}

/// A list of films with its own pages.
enum FilmList: Hashable, Sendable, CaseIterable {
    case movies(MovieList)
    case trending(TrendingPeriod)

    private static let trendingPrefix = "trending-"

    static var allCases: [FilmList] {
        MovieList.allCases.map { .movies($0) } + TrendingPeriod.allCases.map { .trending($0) }
    }

    init?(pathName: String) {
        guard let list = Self.allCases.first(where: { $0.pathName == pathName }) else { return nil }
        self = list
    }

    /// The list's segment in paths: `now-playing`, `trending-day`.
    var pathName: String {
        switch self {
        case .movies(let list): list.pathName
        case .trending(let period): Self.trendingPrefix + period.rawValue
        }
    }

    var path: String { "/lists/\(self.pathName)" }

    var textKey: String {
        switch self {
        case .movies(let list): list.textKey
        case .trending(.day): "listTrendingDay"
        case .trending(.week): "listTrendingWeek"
        }
    }

    fileprivate func page(
        _ number: Int, of catalogue: any MovieCatalogue, language: LanguagePreference, region: Country?
    ) async throws -> MovieDomain.Page<MovieSummary> {
        switch self {
        case .movies(let list):
            try await catalogue.list(list, page: number, language: language, region: region)
        case .trending(let period): try await catalogue.trending(period, page: number, language: language)
        }
    }
}
