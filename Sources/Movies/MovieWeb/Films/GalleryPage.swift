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
