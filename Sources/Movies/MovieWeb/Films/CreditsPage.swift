import MovieDomain
import MovieHTTP

/// `GET /films/{id}/credits`: the complete cast and crew, by department.
enum CreditsPage {
    static func register(on responder: PageResponder) {
        responder.get("/films/:id/credits", lifetime: CacheLifetime.details, Self.page)
    }

    @Sendable
    static func page(_ request: PageRequest) async throws -> Page {
        let id = try request.movieID()
        async let film = request.film(id)
        let credits = try await request.site.services.showMovie.credits(of: id, language: request.language)
        let part = PartOfFilm(try await film, "filmCreditsOf", in: request)
        var paint = PagePaint()
        let groups = try CreditModels(request: request).groups(credits.value, paint: &paint)
        return part.page(
            "credits", ["groups": groups, "empty": groups.isEmpty ? request.formats("filmCreditsNone") : nil],
            paint: paint, sources: [credits.source])
    }
}
