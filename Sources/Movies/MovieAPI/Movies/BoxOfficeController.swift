import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain

/// `GET /box-office/daily`, `/box-office/weekly` and `/box-office/movies/{code}`
struct BoxOfficeController: Sendable {
    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/box-office/daily", known: ["date"], on: router) { parsed in
            try await self.boxOffice(nil, parsed)
        }
        self.responses.getFilms("/box-office/weekly", known: ["date", "span"], on: router) { parsed in
            try await self.boxOffice(try parsed.query.choice("span") ?? .week, parsed)
        }
        self.responses.getFilms("/box-office/movies/:code", on: router, self.movie)
    }

    private func boxOffice(
        _ span: BoxOfficePeriod.Span?, _ parsed: MovieRequest
    ) async throws -> JSONResponse {
        let services = self.responses.services
        let date = try parsed.query.value("date", accepted: "a day that exists, as YYYY-MM-DD") { CalendarDate($0) }
        let boxOffice = try await self.responses.showBoxOffice(span, date: date, language: parsed.language)
        let caching = CacheLifetime.boxOffice(boxOffice.period, isDated: date != nil, now: services.now())
        let object = try self.responses.object(boxOffice, marks: parsed.marks, language: parsed.language.first)
        self.responses.reportListServed(boxOffice.entries.map(\.movieID), of: parsed)
        return try self.responses.response(object, caching: caching, parsed)
    }

    /// What `/movies/{id}` answers, by the source's own code, or by the film's id at this source.
    @Sendable
    private func movie(_ parsed: MovieRequest) async throws -> JSONResponse {
        let source = self.responses.services.boxOffice.source
        let text = try parsed.segment(2)
        guard let id = MovieID(source: source, key: text) ?? MovieID(text), id.source == source else {
            throw Problem(.invalidID, "that is no film's code of \(source.name)")
        }
        return try await self.responses.details(of: id, parsed)
    }
}
