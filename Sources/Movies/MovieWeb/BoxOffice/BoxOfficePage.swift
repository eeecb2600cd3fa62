import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /box-office`: what people went to see on a day or on days of a week, as a list or as posters.
struct BoxOfficePage: Sendable {
    let site: Site

    func page(_ request: PageRequest) async throws -> Page {
        let address = try BoxOfficeAddress(request.query)
        let show = self.site.useCases.showBoxOffice
        do {
            let boxOffice = try await show(
                address.span, date: address.day, matching: BoxOfficeFilter(origin: address.origin),
                language: request.language)
            return try self.page(boxOffice, address, days: show.days(of: address.span), request)
        } catch ShowBoxOffice.Failure.noFigures(let day, let known) {
            return self.page(without: day, address, days: known, request)
        }
    }
}
