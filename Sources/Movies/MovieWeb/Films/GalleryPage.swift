import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /films/{id}/pictures`: a film's pictures of all kinds or of one kind.
enum GalleryPage {
    /// The kinds of pictures that readers distinguish.
    enum Kind: String, CaseIterable, Sendable {
        case scenes, stills, posters, logos

        init(_ kind: GalleryPicture.Kind) {
            self =
                switch kind {
                case .backdrop: .scenes
                case .still, .screenshot: .stills
                case .poster: .posters
                case .logo: .logos
                }
        }

        fileprivate var headingKey: String {
            switch self {
            case .scenes: "pictureScenes"
            case .stills: "pictureStills"
            case .posters: "picturePosters"
            case .logos: "pictureLogos"
            }
        }
    }

    static let kindParameter = "kind"
    /// Pictures of each kind on the page of all kinds.
    private static let shownCount = 24
    /// Pictures on the page of one kind.
    private static let pageSize = 48

    static func register(on responder: PageResponder) {
        responder.get(
            "/films/:id/pictures", known: [Self.kindParameter, "page"], lifetime: CacheLifetime.daily, Self.page)
    }

    @Sendable
    static func page(_ request: PageRequest) async throws -> Page {
        let id = try request.movieID()
        let wanted: Kind? = try request.query.choice(Self.kindParameter)
        let number = try request.pageNumber()
        async let film = request.film(id)
        let found = try await request.site.services.showMovie.images(of: id)
        // Missing pictures may be available a second later.
        if !found.missing.isEmpty { FreshnessRecorder.current?.recordGap() }
        let part = PartOfFilm(try await film, "filmGalleryOf", in: request)
        let models = GalleryModels(film: part.film, id: found.id, request: request)
        var paint = PagePaint()
        var groups: [Model] = []
        for kind in Kind.allCases where wanted == nil || wanted == kind {
            let all = found.images.filter { Kind($0.picture.kind) == kind }
            let size = wanted == nil ? Self.shownCount : Self.pageSize
            let shown = MovieDomain.Page(wanted == nil ? 1 : number, of: all, size: size)
            let more = try wanted == nil ? nil : PageMore(shown, in: request)
            var rows: [Model] = []
            for (place, image) in shown.results.enumerated() {
                let row = try models.row(image, number: (shown.number - 1) * size + place + 1, paint: &paint)
                if let row { rows.append(row) }
            }
            guard !rows.isEmpty else { continue }
            let isCut = wanted == nil && all.count > rows.count
            groups.append([
                "id": kind.rawValue, "heading": request.formats(kind.headingKey), "rows": rows,
                "layout": kind == .posters ? "grid" : "wide",
                "count": request.formats(isCut ? "pictureAll" : "pictureCount", count: all.count),
                "allURL": isCut
                    ? request.links.url("/films/\(id)/pictures", [(Self.kindParameter, kind.rawValue)]) : nil,
                "more": more?.model,
            ])
        }
        var page = part.page(
            "gallery", ["groups": groups, "empty": groups.isEmpty ? request.formats("filmGalleryNone") : nil],
            paint: paint, sources: [found.id.source])
        page.needsMoreStyles = true
        return page
    }
}

/// A film's pictures as links to large versions.
struct GalleryModels: Sendable {
    /// Width of the linked pictures, in pixels.
    private static let largeWidth = 1280
    private static let (width, widest) = (500, 1280)
    /// The value of `sizes`, for the displayed width.
    private static let sceneSizes = "(min-width: 64rem) 24rem, 92vw"

    let film: MovieSummary
    let id: MovieID
    let request: PageRequest

    /// - Parameters:
    ///   - number: The picture's number among its kind, from 1.
    ///   - paint: Receives the picture's colours.
    /// - Returns: `nil` if this server has no URL for the picture.
    func row(_ image: FilmImage, number: Int, paint: inout PagePaint) throws(Problem) -> Model? {
        guard let picture = try self.object(image, width: Self.width),
            let large = try self.object(image, width: Self.largeWidth)
        else { return nil }
        let kind = GalleryPage.Kind(image.picture.kind)
        let isPoster = kind == .posters
        var model = PictureModel(picture, isPoster ? .gridCard : .template, shape: isPoster ? .poster : .scene)
            .model(&paint)
        if !isPoster { model["sizes"] = Self.sceneSizes }
        model["largeURL"] = large.url
        model["kind"] = isPoster ? "poster" : kind == .logos ? "scene logo" : "scene"
        let text = isPoster ? "posterOf" : kind == .logos ? "logoOf" : "pictureOf"
        model["alt"] = self.request.formats(text, ["title": self.film.title, "number": String(number)])
        model["loadingHTML"] = Markup(html: number == 1 ? "" : "loading=\"lazy\" ")
        return model
    }

    private func object(_ image: FilmImage, width: Int) throws(Problem) -> PosterObject? {
        let urls = self.request.site.pictures.urls
        let size = image.picture.size
        let own = try urls.picture(
            at: image.picture.location, size: size, width: width, widest: Self.widest, widths: .page)
        if let own { return own }
        // A poster without a place is the film's own. TMDB has many posters, each with its own path.
        let isAtTMDB = if case .tmdb = image.picture.location { true } else { false }
        let film = PictureID(self.id)
        let isOwnPoster = image.picture.kind == .poster && !isAtTMDB
        guard let id = image.place.map(film.inGallery) ?? (isOwnPoster ? film : nil) else { return nil }
        return try urls.picture(id, size: size.map { ($0.width, $0.height) }, width: width, widths: .page)
    }
}
