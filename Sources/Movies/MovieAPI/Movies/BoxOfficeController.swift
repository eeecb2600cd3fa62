import HTTPSemantics
package import HTTPServer
package import Hummingbird
import MovieDomain

/// `GET /box-office/daily`, `/box-office/weekly` and `/box-office/movies/{code}`
package struct BoxOfficeController: Sendable {
    let desk: FilmDesk

    package init(desk: FilmDesk) {
        self.desk = desk
    }

    package func register(on router: Router<PosterRequestContext>) {
        router.get("/box-office/daily", use: self.daily)
        router.get("/box-office/weekly", use: self.weekly)
        router.get("/box-office/movies/:code", use: self.movie)
    }

    private var services: MovieServices { self.desk.services }

    @Sendable
    private func daily(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, known: ["date"], default: self.services.defaultLanguage)
        return try await self.boxOffice(.day, order, request, context)
    }

    @Sendable
    private func weekly(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, known: ["date", "span"], default: self.services.defaultLanguage)
        let span: BoxOfficePeriod.Span = try order.query.choice("span") ?? .week
        return try await self.boxOffice(.week(span), order, request, context)
    }

    private func boxOffice(
        _ part: ShowBoxOffice.Part, _ order: FilmOrder, _ request: Request, _ context: PosterRequestContext
    ) async throws -> Response {
        let date = try order.query.date("date")
        return try await self.desk.respond(to: request, order, context) {
            let caller = try await self.desk.callers.caller(order.headers)
            let show = ShowBoxOffice(boxOffice: self.services.boxOffice, now: self.services.now)
            let boxOffice = try await show(part, date: date, language: order.language)
            let keeping = FilmLifetime.boxOffice(boxOffice.period, isDated: date != nil, now: self.services.now())
            let object = try await self.desk.object(boxOffice, for: caller)
            self.desk.tell(boxOffice.entries.map(\.movieID), of: order)
            return try self.desk.answer(object, to: caller, keeping: caller.keeping(keeping), order)
        }
    }

    /// What `/movies/{id}` answers, by the source's own code.
    @Sendable
    private func movie(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, default: self.services.defaultLanguage)
        let source = self.services.boxOffice.source
        guard let id = MovieID(source: source, key: try order.segment(2)) else {
            throw Problem(.invalidID, "that is no film's code of \(source.name)")
        }
        return try await self.desk.respond(to: request, order, context) { try await self.desk.details(of: id, order) }
    }
}
