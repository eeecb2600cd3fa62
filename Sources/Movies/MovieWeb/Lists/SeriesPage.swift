import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /series/{id}`: the films of a collection, by date.
struct SeriesPage: Sendable {
    static func register(on responder: PageResponder) {
        responder.get("/series/:id", lifetime: CacheLifetime.details) { request in
            try await SeriesPage(request).page()
        }
    }

    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    func page() async throws -> Page {
        guard let id = CollectionID(self.request.segments[1]) else {
            throw Problem(.invalidID, "the id is not a series id; use the id of a film's collection, such as tmdb:10")
        }
        try self.request.checkSpelling(id.description)
        let site = self.request.site
        let series = try await site.services.showCollection(id, language: self.request.language)
        var grid = FilmGrid(heading: series.reference.name)
        grid.overview = series.overview
        grid.nothing = self.request.formats("listNothing")
        var page = try grid.page(series.films, count: series.films.count, source: id.source, in: self.request)
        let scene = try site.pictures.urls.backdrop(series.reference.backdrop, widths: .page)
        page.share?.image = scene.map { ShareCard.Image($0, alt: series.reference.name, isScene: true) }
        return page
    }
}
