import HTTPSemantics
import MovieDomain
import MovieHTTP

/// `GET /films/{id}/similar` and `…/recommended`: films related to another.
enum SimilarPage: String, CaseIterable, Sendable {
    case similar
    case recommended

    /// Requests the page as a row, which replaces a link in the film's page.
    private static let rowParameter = "row"
    static let rowCount = 12

    private var headingKey: String { self == .similar ? "filmSimilar" : "filmRecommended" }
    private var emptyKey: String { self == .similar ? "filmSimilarNone" : "filmRecommendedNone" }

    static func register(on responder: PageResponder) {
        for kind in Self.allCases {
            responder.get(
                "/films/:id/\(kind.rawValue)", known: ["page", Self.rowParameter], lifetime: CacheLifetime.details,
                kind.page)
        }
    }

    @Sendable
    func page(_ request: PageRequest) async throws -> Page {
        let id = try request.movieID()
        let number = try request.pageNumber()
        if request[Self.rowParameter] != nil {
            var paint = PagePaint()
            let films = try await self.films(of: id, page: 1, request)
            let main = try self.row(films.value.results, of: id, in: request, paint: &paint)
            var page = Page(title: request.formats(self.headingKey), main: main, paint: paint)
            page.sources = [films.source]
            return page
        }
        async let film = request.film(id)
        let found = try await self.films(of: id, page: number, request)
        let films = found.value.results
        let more = try PageMore(found.value, limit: QueryParameters.pageLimit, in: request)
        let part = PartOfFilm(try await film, self.headingKey + "Of", in: request)
        var paint = PagePaint()
        let cards = try FilmCard.list(films, in: request, role: number == 1 ? .grid : .laterGrid, paint: &paint)
        request.reportServed(films.map(\.id))
        return part.page(
            "list",
            [
                "cardsHTML": cards, "more": more.model,
                "empty": films.isEmpty ? request.formats(self.emptyKey) : nil,
            ], paint: paint, sources: [found.source])
    }

    /// - Throws: `UnknownMovie`, `SourceFailure`, `CancellationError`.
    func films(
        of id: MovieID, page: Int = 1, _ request: PageRequest
    ) async throws -> Sourced<MovieDomain.Page<MovieSummary>> {
        let movies = request.site.services.showMovie
        return switch self {
        case .similar: try await movies.similar(to: id, page: page, language: request.language)
        case .recommended: try await movies.recommendations(for: id, page: page, language: request.language)
        }
    }

    /// The first films as a section of a page; empty if there are none.
    func row(
        _ films: [MovieSummary], of id: MovieID, in request: PageRequest, paint: inout PagePaint
    ) throws -> Markup {
        try FilmRow(
            id: self.rawValue, heading: request.formats(self.headingKey), allURL: request.links.film(id, self.rawValue)
        ).markup(Array(films.prefix(Self.rowCount)), in: request, paint: &paint)
    }

    /// Replaces the row in a page that does not wait for it.
    func lateRow(of id: MovieID, in request: PageRequest) -> Markup {
        LatePart.markup(
            url: request.links.film(id, self.rawValue),
            part: request.links.url("/films/\(id)/\(self.rawValue)", [(Self.rowParameter, "1")]),
            heading: request.formats(self.headingKey), in: request)
    }
}
