import HTTPServer
import MovieDomain
import MovieHTTP

/// A page with a part of a film, such as its credits: it leads back to the film.
struct PartOfFilm: Sendable {
    let film: MovieSummary
    let request: PageRequest
    /// Names the part and the film.
    let heading: String

    /// - Parameter headingKey: Of a text with the film's `title`.
    init(_ film: MovieSummary, _ headingKey: String, in request: PageRequest) {
        self.film = film
        self.request = request
        self.heading = request.formats(headingKey, ["title": film.title])
    }

    /// - Parameters:
    ///   - model: Of the template, beside the heading and the film.
    ///   - sources: That the part is from.
    func page(_ template: String, _ model: Model, paint: PagePaint = PagePaint(), sources: [MovieSource]) -> Page {
        var model = model
        model["heading"] = self.heading
        model["film"] = self.film.title
        model["filmURL"] = self.request.links.film(self.film.id)
        model["filmLang"] = self.film.titleLanguage(in: self.request)
        var page = Page(title: self.heading, main: self.request.render(template, model), paint: paint)
        page.sources = sources
        return page
    }
}

extension PageRequest {
    /// The film that a page shows a part of, without what other sources know of it.
    ///
    /// - Throws: `UnknownMovie`, `SourceFailure`, `CancellationError`.
    func film(_ id: MovieID) async throws -> MovieSummary {
        try await self.site.services.showMovie.joined(id, language: self.language).movie.summary
    }
}
