package import MovieDomain
import UpstreamClient

extension TMDBMovies {
    /// All pictures in all languages: one request, which TMDB filters only when a language is asked for.
    package func images(of id: MovieID) async throws -> [FilmImage]? {
        guard id.source == .tmdb else { return nil }
        let request = UpstreamRequest("/movie/\(id.key)/images", lifetime: TMDB.Lifetime.images)
        return try await self.tmdb.client.get(request) { try TMDBImages.images(decoding: $0) }
    }
}

/// The pictures of a film, the best-rated of a kind first.
enum TMDBImages {
    /// TMDB's lists of pictures.
    private static let kinds: [(member: String, kind: GalleryPicture.Kind)] = [
        ("posters", .poster), ("backdrops", .backdrop), ("logos", .logo),
    ]

    /// At most ``FilmImage/limit`` of a kind.
    static func images(decoding answer: UpstreamResponse) throws -> [FilmImage] {
        let object = try TolerantJSON.object(answer.body)
        guard Self.kinds.contains(where: { object.has($0.member) }) else {
            throw UnreadableResponse(reason: "has no pictures")
        }
        return Self.kinds.flatMap { member, kind in
            object.rows(member).compactMap { Self.image($0, kind) }.prefix(FilmImage.limit)
        }
    }

    /// nil also for drawings: only their original exists, which is no picture of pixels.
    private static func image(_ row: TolerantObject, _ kind: GalleryPicture.Kind) -> FilmImage? {
        guard let picture = TMDBPicture.picture(row, kind: kind), row.text("file_path")?.hasSuffix(".svg") == false
        else { return nil }
        // `xx` is TMDB's older word for none.
        let language = row.text("iso_639_1").flatMap { $0 == "xx" ? nil : Language($0) }
        return FilmImage(
            picture, language: language, isTextless: row.has("iso_639_1") ? language == nil : nil)
    }
}
