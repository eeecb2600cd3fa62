import HTTPServer
import MovieDomain
import MovieHTTP

/// A page with a part of a film, such as its credits, and a link to the film.
struct PartOfFilm: Sendable {
    let film: MovieSummary
    let request: PageRequest
    let heading: String

    /// - Parameter headingKey: The key of a text with the film's `title`.
    init(_ film: MovieSummary, _ headingKey: String, in request: PageRequest) {
        self.init(film, heading: request.formats(headingKey, ["title": film.title]), in: request)
    }

    init(_ film: MovieSummary, heading: String, in request: PageRequest) {
        self.film = film
        self.request = request
        self.heading = heading
    }

    /// - Parameters:
    ///   - model: The template's values besides the heading and the film.
    ///   - sources: The sources of the part.
    func page(_ template: String, _ model: Model, paint: PagePaint = PagePaint(), sources: [MovieSource]) -> Page {
        var model = model
        model["heading"] = self.heading
        model["film"] = self.film.title
        model["filmURL"] = self.request.links.film(self.film.id)
        model["filmLang"] = self.film.titleLanguage(in: self.request)
        var page = Page(title: self.heading, main: self.request.render(template, model), paint: paint)
        page.sources = sources
        page.share = ShareCard()
        page.structured = StructuredData(
            self.request.breadcrumbs(
                self.heading, below: [(self.film.title, self.request.links.film(self.film.id))]))
        return page
    }
}

extension PageRequest {
    /// The film of a page about one of its parts, without facts from other sources.
    ///
    /// - Throws: `UnknownMovie`, `SourceFailure`, `CancellationError`.
    func film(_ id: MovieID) async throws -> MovieSummary {
        try await self.site.services.showMovie.joined(id, language: self.language).movie.summary
    }
}
