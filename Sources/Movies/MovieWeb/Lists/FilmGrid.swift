import HTTPSemantics
import MovieDomain

/// A page with a heading and a grid of films.
struct FilmGrid {
    let heading: String
    /// The page's title; `nil` for the heading.
    var title: String?
    var overview = ""
    /// The text for an empty list.
    var nothing: String?
    /// The filter form below the heading.
    var filters: Markup?
    /// Links to other lists, below the films: `name`, `url`, `isHere`.
    var lists: [Model] = []

    init(heading: String) {
        self.heading = heading
    }

    /// - Throws: ``Problem`` if the posters' URLs cannot be signed; ``PageRedirection`` for a page after the last.
    func page(
        _ films: MovieDomain.Page<MovieSummary>, of catalogue: any MovieCatalogue, in request: PageRequest
    ) throws -> Page {
        try self.page(
            films.results, count: films.totalResults,
            more: PageMore(films, limit: catalogue.pageLimit, in: request), source: catalogue.source, in: request)
    }

    /// - Parameters:
    ///   - count: The number of films on all pages.
    ///   - source: The list's source.
    func page(
        _ films: [MovieSummary], count: Int, more: PageMore? = nil, source: MovieSource, in request: PageRequest
    ) throws(Problem) -> Page {
        var paint = PagePaint()
        let cards = try FilmCard.list(films, in: request, role: .grid, paint: &paint)
        let main = request.render(
            "list",
            [
                "heading": self.heading, "summary": count > 0 ? request.formats("filmCount", count: count) : nil,
                "overview": self.overview, "filtersHTML": self.filters,
                "empty": films.isEmpty ? self.nothing : nil, "cardsHTML": cards, "more": more?.model,
                "lists": self.lists.isEmpty ? nil : ["links": self.lists] as Model,
            ])
        request.reportServed(films.map(\.id))
        var page = Page(title: self.title ?? self.heading, main: main, paint: paint)
        page.sources = [source] + films.map(\.id.source)
        page.share = ShareCard()
        page.structured = StructuredData(request.breadcrumbs(self.heading))
        if !self.overview.isEmpty { page.description = self.overview }
        return page
    }
}
