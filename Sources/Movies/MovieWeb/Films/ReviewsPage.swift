import HTTPSemantics
import MovieDomain
import MovieHTTP

/// `GET /films/{id}/reviews`: all reviews, the latest first.
enum ReviewsPage {
    static func register(on responder: PageResponder) {
        responder.get("/films/:id/reviews", known: ["page"], lifetime: CacheLifetime.details, Self.page)
    }

    @Sendable
    static func page(_ request: PageRequest) async throws -> Page {
        let id = try request.movieID()
        let number = try request.pageNumber()
        async let film = request.film(id)
        let found = try await request.site.services.showMovie.reviews(of: id, page: number, language: request.language)
        let reviews = found.value
        let more = try PageMore(reviews, limit: QueryParameters.pageLimit, in: request)
        let isEmpty = reviews.results.isEmpty
        return PartOfFilm(try await film, "filmReviewsOf", in: request).page(
            "reviews",
            [
                "summary": isEmpty ? nil : request.formats("reviewCount", count: reviews.totalResults),
                "empty": isEmpty ? request.formats("filmReviewsNone") : nil,
                "rows": ReviewModels(formats: request.formats, source: found.source).models(reviews.results),
                "more": more.model,
            ], sources: [found.source])
    }
}
