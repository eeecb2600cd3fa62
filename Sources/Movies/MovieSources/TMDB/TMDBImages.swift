package import MovieDomain
import UpstreamClient

extension TMDBMovies {
    /// All pictures in all languages, with one request: without a language TMDB does not filter them.
    package func images(of id: MovieID) async throws -> [FilmImage]? {
        guard id.source == .tmdb else { return nil }
        let request = UpstreamRequest("/movie/\(id.key)/images", lifetime: TMDB.Lifetime.images)
        return try await self.tmdb.client.get(request) { try TMDBImages.images(decoding: $0) }
    }
}

/// The pictures of a film, the best-rated of each kind first.
enum TMDBImages {
    private static let kinds: [(member: String, kind: GalleryPicture.Kind)] = [
        ("posters", .poster), ("backdrops", .backdrop), ("logos", .logo),
    ]

    /// At most ``FilmImage/limit`` pictures per kind.
    static func images(decoding answer: UpstreamResponse) throws -> [FilmImage] {
        let object = try TolerantJSON.object(answer.body)
        guard Self.kinds.contains(where: { object.has($0.member) }) else {
            throw UnreadableResponse(reason: "has no pictures")
        }
        return Self.kinds.flatMap { member, kind in
            object.rows(member).compactMap { Self.image($0, kind) }.prefix(FilmImage.limit)
        }
    }

    /// The best-rated logo in the language, else in English, else any other.
    static func logo(_ rows: [TolerantObject], in language: Language) -> PictureLocation? {
        let logos = rows.compactMap { Self.image($0, .logo) }
        let choice = FilmImage.logo(logos, in: language)
        return choice?.picture.location
    }

    /// `nil` also for vector drawings: TMDB has only the original, which is not a raster image.
    private static func image(_ row: TolerantObject, _ kind: GalleryPicture.Kind) -> FilmImage? {
        guard let picture = TMDBPicture.picture(row, kind: kind), row.text("file_path")?.hasSuffix(".svg") == false
        else { return nil }
        // `xx` is TMDB's older code for no language.
        let language = row.text("iso_639_1").flatMap { $0 == "xx" ? nil : Language($0) }
        return FilmImage(
            picture, language: language, isTextless: row.has("iso_639_1") ? language == nil : nil)
    }
}
