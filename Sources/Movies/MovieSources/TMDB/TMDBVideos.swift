import MovieDomain
import UpstreamClient

/// A film's trailers and other videos. Videos at sites other than YouTube and Vimeo, and with invalid keys, are
/// dropped.
enum TMDBVideos {
    /// The videos of the member `videos` in TMDB's order; at most ``Video/limit``.
    static func videos(_ object: TolerantObject?) -> [Video] {
        Array((object?.rows("results") ?? []).compactMap(Self.video).prefix(Video.limit))
    }

    static func videos(decoding answer: UpstreamResponse) throws -> [Video] {
        let object = try TolerantJSON.object(answer.body)
        guard object.has("results") else { throw UnreadableResponse(reason: "has no results") }
        return Self.videos(object)
    }

    private static func video(_ row: TolerantObject) -> Video? {
        guard let id = row.text("id"), let key = row.text("key"),
            let site = row.text("site").flatMap({ Self.sites[$0.lowercased()] })
        else { return nil }
        return Video(
            id: id, kind: row.text("type").map { Video.Kind(word: $0) } ?? .other, site: site, key: key,
            name: row.text("name") ?? "", language: row.text("iso_639_1").flatMap { Language($0) },
            country: row.text("iso_3166_1").flatMap { Country(code: $0) }, isOfficial: row.flag("official") ?? false,
            publishedAt: row.date("published_at")?.instant, height: row.integer("size"))
    }

    private static let sites: [String: Video.Site] = ["youtube": .youtube, "vimeo": .vimeo]
}
