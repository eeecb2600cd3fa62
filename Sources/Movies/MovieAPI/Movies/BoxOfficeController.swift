import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /box-office/daily`, `/box-office/weekly` and `/box-office/movies/{code}`
struct BoxOfficeController: Sendable {
    private static let filters = BoxOfficeFilter.Field.allCases.map(\.rawValue)

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/box-office/daily", known: ["date"] + Self.filters, on: router) { parsed in
            try await self.boxOffice(nil, parsed)
        }
        self.responses.getFilms("/box-office/weekly", known: ["date", "span"] + Self.filters, on: router) { parsed in
            try await self.boxOffice(try parsed.query.choice("span") ?? .week, parsed)
        }
        self.responses.getFilms(
            "/box-office/movies/:code", known: [QueryParameters.regionParameter], on: router, self.movie)
    }

    private func boxOffice(
        _ span: BoxOfficePeriod.Span?, _ parsed: MovieRequest
    ) async throws -> EncodedResponse {
        let services = self.responses.services
        let date = try parsed.query.value("date", accepted: "a valid date, as YYYY-MM-DD") { CalendarDate($0) }
        let filter = BoxOfficeFilter(
            area: try parsed.query.value("area", accepted: "seven digits, such as 0105001, or all") {
                BoxOfficeArea($0)
            },
            origin: try parsed.query.choice("origin"), films: try parsed.query.choice("films"))
        let boxOffice = try await self.responses.useCases.showBoxOffice(
            span, date: date, matching: filter, language: parsed.language)
        let caching = CacheLifetime.boxOffice(boxOffice, isDated: date != nil, now: services.now())
        let object = try self.responses.object(boxOffice, marks: parsed.marks, language: parsed.language.first)
        self.responses.reportListServed(boxOffice.entries.map(\.movieID), of: parsed)
        return try self.responses.response(object, caching: caching, parsed)
    }

    /// The response of `/movies/{id}`, for the source's own code or the film's id at this source.
    @Sendable
    private func movie(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let source = self.responses.services.boxOffice.source
        let text = try parsed.segment(2)
        guard let id = MovieID(source: source, key: text) ?? MovieID(text), id.source == source else {
            throw Problem(.invalidID, "the code is not a film code of \(source.name)")
        }
        return try await self.responses.details(of: id, parsed)
    }
}
