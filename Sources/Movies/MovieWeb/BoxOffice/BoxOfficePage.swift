import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// `GET /box-office`: the box office of a day or of days of a week, as a list or as posters.
struct BoxOfficePage: Sendable {
    /// The number of posters in a list that are loaded eagerly.
    private static let eagerCount = 3

    static func register(on pages: PageResponder) {
        pages.get("/box-office", known: BoxOfficeAddress.parameters, lifetime: CacheLifetime.yesterday) { request in
            try await BoxOfficePage(request).page()
        }
    }

    private let request: PageRequest
    private let address: BoxOfficeAddress
    private let show: ShowBoxOffice

    /// - Throws: ``Problem`` with the accepted values.
    init(_ request: PageRequest) throws(Problem) {
        self.request = request
        self.address = try BoxOfficeAddress(request.query)
        self.show = request.site.useCases.showBoxOffice
    }

    /// The page; for a day without figures, one with the same controls and the days that have figures.
    func page() async throws -> Page {
        do {
            let boxOffice = try await self.show(
                self.address.span, date: self.address.day, matching: BoxOfficeFilter(origin: self.address.origin),
                language: self.request.language)
            return try self.page(of: boxOffice)
        } catch ShowBoxOffice.Failure.noFigures(let day, let known) {
            return self.page(without: day, known)
        }
    }

    private func page(of boxOffice: BoxOffice) throws(Problem) -> Page {
        let (period, now) = (boxOffice.period, self.request.site.services.now())
        let controls = self.controls(
            BoxOfficeCalendar(period, day: self.address.day, days: self.show.days(beside: boxOffice)))
        var model = controls.model(days: self.show.days, origins: self.hasOrigins)
        model["notes"] =
            (period.isOver(at: now) ? [] : [self.request.formats("boxOfficeIncomplete")]) + [controls.range]
        var paint = PagePaint()
        if boxOffice.entries.isEmpty {
            model["empty"] = ["text": self.request.formats("boxOfficeNothing"), "isRefused": false] as Model
        } else if self.address.view == .posters {
            model["grid"] = ["cardsHTML": try self.cards(of: boxOffice.entries, &paint)] as Model
        } else {
            model["chart"] = ["rows": try self.rows(of: boxOffice.entries, &paint)] as Model
        }
        self.request.reportServed(boxOffice.entries.map(\.movieID))
        var page = self.page(model, of: controls.period, paint)
        page.caching = CacheLifetime.boxOffice(boxOffice, isDated: self.address.day != nil, now: now)
        page.sources = [boxOffice.source]
        return page
    }

    private func page(without day: CalendarDate, _ known: ClosedRange<CalendarDate>) -> Page {
        let controls = self.controls(BoxOfficeCalendar(self.address.span, nearest: day, days: known))
        let formats = self.request.formats
        var model = controls.model(days: self.show.days, origins: self.hasOrigins)
        // These links would lead away from the suggested day.
        (model["previous"], model["following"]) = (nil, nil)
        (model["week"], model["dates"]) = (nil, formats.withWeekday(day))
        let text = formats("boxOfficeOutside", ["date": formats.long(day)]) + " " + controls.range
        model["empty"] = ["text": text, "isRefused": true] as Model
        var page = self.page(model, of: formats.withWeekday(day), PagePaint())
        page.status = .badRequest
        page.caching = EncodedResponse.CachePolicy.none
        return page
    }

    private func page(_ model: Model, of period: String, _ paint: PagePaint) -> Page {
        let title = self.request.formats("boxOfficeTitle") + ", " + period
        var page = Page(title: title, main: self.request.render("box-office", model), paint: paint)
        page.navigation = .boxOffice
        page.needsMoreStyles = true
        return page
    }

    private func controls(_ calendar: BoxOfficeCalendar) -> BoxOfficeControls {
        BoxOfficeControls(self.address, calendar, self.request.formats, self.request.links)
    }

    private var hasOrigins: Bool { self.request.site.services.boxOffice.filters.contains(.origin) }

    /// - Returns: `nil` for an entry without a title.
    private static func film(of entry: BoxOfficeEntry) -> MovieSummary? {
        MovieSummary(id: entry.movieID, title: entry.title, releaseDate: entry.releaseDate, poster: entry.poster)
    }

    private func cards(of entries: [BoxOfficeEntry], _ paint: inout PagePaint) throws(Problem) -> Markup {
        let cards = entries.compactMap { entry in
            Self.film(of: entry).map { film in
                FilmCard(film, meta: BoxOfficeFigures(entry, self.request.formats).summary, rank: entry.rank)
            }
        }
        return try FilmCard.list(cards, in: self.request, role: .grid, paint: &paint)
    }

    private func rows(of entries: [BoxOfficeEntry], _ paint: inout PagePaint) throws(Problem) -> [Model] {
        var rows: [Model] = []
        for (place, entry) in entries.enumerated() {
            let figures = BoxOfficeFigures(entry, self.request.formats)
            var poster: FilmPoster?
            if let film = Self.film(of: entry) { poster = try self.request.poster(of: film) }
            rows.append([
                "rank": entry.rank, "title": entry.title, "url": self.request.links.film(entry.movieID),
                "poster": poster?.picture.map { PictureModel($0).model(&paint) }, "cardHTML": poster?.card(),
                "loadingHTML": Markup(html: place < Self.eagerCount ? "" : "loading=\"lazy\" "),
                "move": figures.move, "moveClass": figures.moveClass, "audience": figures.audience,
                "change": figures.change, "total": figures.total, "sales": figures.sales, "share": figures.share,
                "screens": figures.screens,
            ])
        }
        return rows
    }
}
