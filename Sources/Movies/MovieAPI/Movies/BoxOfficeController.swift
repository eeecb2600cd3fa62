import HTTPSemantics
package import HTTPServer
package import Hummingbird
import MovieDomain

/// `GET /box-office/daily`, `/box-office/weekly` and `/box-office/movies/{code}`
package struct BoxOfficeController: Sendable {
    let responses: MovieResponses

    package init(responses: MovieResponses) {
        self.responses = responses
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/box-office/daily", use: self.daily)
        router.get("/box-office/weekly", use: self.weekly)
        router.get("/box-office/movies/:code", use: self.movie)
    }

    private var services: MovieServices { self.responses.services }

    @Sendable
    private func daily(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, known: ["date"], default: self.services.defaultLanguage)
        return try await self.boxOffice(.day, parsed, request, context)
    }

    @Sendable
    private func weekly(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(
            request, context, known: ["date", "span"], default: self.services.defaultLanguage)
        let span: BoxOfficePeriod.Span = try parsed.query.choice("span") ?? .week
        return try await self.boxOffice(.week(span), parsed, request, context)
    }

    private func boxOffice(
        _ part: ShowBoxOffice.Part, _ parsed: MovieRequest, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        let date = try parsed.query.date("date")
        return try await self.responses.respond(to: request, parsed, context) {
            let principal = try await self.responses.principals.principal(of: parsed.headers)
            let show = ShowBoxOffice(boxOffice: self.services.boxOffice, now: self.services.now)
            let boxOffice = try await show(part, date: date, language: parsed.language)
            let keeping = CacheLifetime.boxOffice(boxOffice.period, isDated: date != nil, now: self.services.now())
            let object = try await self.responses.object(boxOffice, for: principal)
            self.responses.reportListServed(boxOffice.entries.map(\.movieID), of: parsed)
            return try self.responses.response(object, to: principal, keeping: principal.keeping(keeping), parsed)
        }
    }

    /// What `/movies/{id}` answers, by the source's own code.
    @Sendable
    private func movie(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, default: self.services.defaultLanguage)
        let source = self.services.boxOffice.source
        guard let id = MovieID(source: source, key: try parsed.segment(2)) else {
            throw Problem(.invalidID, "that is no film's code of \(source.name)")
        }
        return try await self.responses.respond(to: request, parsed, context) {
            try await self.responses.details(of: id, parsed)
        }
    }
}
