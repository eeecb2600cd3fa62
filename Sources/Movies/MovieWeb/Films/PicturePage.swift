import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /films/{id}/pictures/{picture}`: a large picture, between links to its neighbours in the film's pictures.
///
/// Scripts show its content over other pages.
enum PicturePage {
    static func register(on responder: PageResponder) {
        responder.get("/films/:id/pictures/:picture", lifetime: CacheLifetime.daily, Self.page)
    }

    @Sendable
    static func page(_ request: PageRequest) async throws -> Page {
        let id = try request.movieID()
        let movies = request.site.services.showMovie
        async let joined = movies.joined(id, language: request.language)
        let found = try await movies.images(of: id)
        if !found.missing.isEmpty { FreshnessRecorder.current?.recordGap() }
        let details = try await joined
        // The film's page may show pictures that are not in the list of all: another source's.
        let shown = FilmImage.images(of: details.movie)
        for (film, images) in [(found.id, found.images), (details.galleryID, shown)] {
            let images = Self.ordered(images)
            guard let place = images.firstIndex(where: { $0.pathName == request.segments[3] }) else { continue }
            let models = GalleryModels(film: details.movie.summary, id: film, request: request)
            if let page = try Self.content(images, at: place, models) { return page }
        }
        throw Problem(.notFound, "the film has no such picture")
    }

    /// The pictures that have pages, in the order of ``GalleryPage``.
    private static func ordered(_ images: [FilmImage]) -> [FilmImage] {
        GalleryPage.Kind.allCases.flatMap { kind in
            images.filter { GalleryPage.Kind($0.picture.kind) == kind && $0.pathName != nil }
        }
    }

    /// - Returns: `nil` if this server has no URL for the picture.
    private static func content(_ images: [FilmImage], at place: Int, _ models: GalleryModels) throws(Problem) -> Page?
    {
        guard let picture = try models.large(images[place], number: place + 1) else { return nil }
        let request = models.request
        let url = { (place: Int) -> String? in
            images.indices.contains(place) ? images[place].pathName.map(models.url) : nil
        }
        let heading = models.name(images[place], number: place + 1)
        var page = PartOfFilm(models.film, heading: heading, in: request).page(
            "picture",
            [
                "picture": picture, "previousURL": url(place - 1), "nextURL": url(place + 1),
                "allURL": request.links.film(models.film.id, "pictures"),
                "position": request.formats(
                    "picturePosition", ["number": String(place + 1), "total": String(images.count)]),
            ], sources: [models.id.source])
        page.needsMoreStyles = true
        page.isIndexable = false
        return page
    }
}
