import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /movies/discover` and `/movies/trending/{period}`
struct DiscoverController: Sendable {
    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        let filters = FilmFilter.Field.allCases.map(\.rawValue)
        self.responses.getFilms(
            "/movies/discover", known: filters + ["sort", "page", QueryParameters.regionParameter], on: router,
            self.discover)
        self.responses.getFilms("/movies/trending/:period", known: ["page"], on: router, self.trending)
    }

    private var catalogue: any MovieCatalogue { self.responses.services.catalogue }

    @Sendable
    private func discover(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.catalogue
        let filter = try FilmFilter(parsed.query, of: self.responses.services)
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let movies = try await catalogue.discover(
            filter, page: page, language: parsed.language, region: try self.responses.region(of: parsed))
        return try self.responses.response(movies, limit: catalogue.pageLimit, source: catalogue.source, parsed)
    }

    @Sendable
    private func trending(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.catalogue
        guard let period = TrendingPeriod(rawValue: try parsed.segment(2)) else {
            let periods = TrendingPeriod.allCases.map(\.rawValue).joined(separator: " and ")
            throw Problem(.notFound, "the period is unknown; the periods are \(periods)")
        }
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let movies = try await catalogue.trending(period, page: page, language: parsed.language)
        return try self.responses.response(movies, limit: catalogue.pageLimit, source: catalogue.source, parsed)
    }
}
