import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /films/{id}`: a film with all details.
struct FilmPage: Sendable {
    private let request: PageRequest
    private let id: MovieID

    private init(_ request: PageRequest) throws {
        self.request = request
        self.id = try request.movieID()
    }

    static func register(on responder: PageResponder) {
        responder.get("/films/:id", lifetime: CacheLifetime.details) { try await Self.page($0) }
    }

    static func page(_ request: PageRequest) async throws -> Page { try await FilmPage(request).page() }

    private var movies: ShowMovie { self.request.site.services.showMovie }

    private func page() async throws -> Page {
        // These parts do not depend on the film's details.
        async let similar = self.films(.similar)
        async let recommended = self.films(.recommended)
        async let offers = self.offers()
        let details = try await self.movies(self.id, language: self.request.language).rated(in: self.request.region)
        // Missing parts may be available a second later.
        if !details.missing.isEmpty { FreshnessRecorder.current?.recordGap() }
        let reviews = try await self.reviews(of: details)
        let rows = try await [(SimilarPage.similar, similar), (.recommended, recommended)]
        let whereToWatch = try await offers

        var paint = PagePaint()
        let film = try FilmModel(details, in: self.request)
        var model = try film.model(&paint)
        if let reviews {
            model["reviews"] = self.model(of: reviews, count: details.movie.reviewCount)
        }
        if let whereToWatch, let region = self.request.region {
            model["offers"] = try OffersModel(whereToWatch, in: region, self.request).model
        }
        model["similarHTML"] = try rows.map { kind, films in
            guard let films else { return kind.lateRow(of: self.id, in: self.request) }
            return try kind.row(films.value.results, of: self.id, in: self.request, paint: &paint)
        }.filter { !$0.isEmpty }.joined()
        self.request.reportServed(rows.flatMap { ($0.1?.value.results ?? []).prefix(SimilarPage.rowCount).map(\.id) })

        let summary = details.movie.summary
        var page = Page(title: summary.title, main: self.request.render("film", model), paint: paint)
        page.needs.videos = film.playsVideos
        page.needsMoreStyles = true
        // Late rows.
        page.receivesCards = true
        page.description = summary.overview.isEmpty ? nil : Page.description(summary.overview)
        page.share = ShareCard(type: "video.movie", image: film.shareImage)
        page.structured = StructuredData(
            film: FilmData(
                details.movie, description: page.description, image: film.poster.picture?.widest.url, in: self.request),
            self.request.breadcrumbs(summary.title))
        page.sources =
            details.sources + [reviews?.source, whereToWatch?.source].compactMap(\.self)
            + rows.compactMap { $0.1?.source }
        return page
    }

    private func films(_ kind: SimilarPage) async throws -> Sourced<MovieDomain.Page<MovieSummary>>? {
        try await LatePart.value { try await kind.films(of: self.id, self.request) }
    }

    /// `nil` also if the reader's country is unknown.
    private func offers() async throws -> Sourced<FilmOffers>? {
        guard self.request.region != nil else { return nil }
        return try await LatePart.value { try await self.movies.offers(of: self.id) }
    }

    /// The reviews from the details, else the first page of reviews.
    ///
    /// - Returns: `nil` if there are none.
    private func reviews(of details: MovieDetails) async throws -> Sourced<[Review]>? {
        let movie = details.movie
        if !movie.reviews.isEmpty {
            return Sourced(movie.reviews, from: details.link?.counterpart.source ?? self.id.source)
        }
        guard movie.reviewCount == nil else { return nil }
        let found = try await LatePart.value {
            try await self.movies.reviews(of: self.id, page: 1, language: self.request.language)
        }
        return found.flatMap { $0.value.results.isEmpty ? nil : Sourced($0.value.results, from: $0.source) }
    }

    private static let reviewLimit = 6

    private func model(of reviews: Sourced<[Review]>, count: Int?) -> Model {
        let formats = self.request.formats
        return [
            "allURL": self.request.links.film(self.id, "reviews"),
            "count": formats("reviewCount", count: max(count ?? 0, reviews.value.count)),
            "rows": ReviewModels(formats: formats, source: reviews.source)
                .models(reviews.value.prefix(Self.reviewLimit)),
        ]
    }
}
