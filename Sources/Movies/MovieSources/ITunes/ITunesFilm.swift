import MovieDomain
import UpstreamClient

/// A film that the iTunes Store sells.
struct ITunesFilm: Hashable, Sendable {
    let movie: Movie

    /// - Returns: nil for what is no film, or has no title.
    init?(row: TolerantObject) {
        guard row.text("kind") == "feature-movie",
            let id = row.integer("trackId").flatMap({ MovieID(source: .itunes, key: String($0)) }),
            let title = row.text("trackName") ?? row.text("trackCensoredName")
        else { return nil }
        let date = row.date("releaseDate")
        let genre = row.text("primaryGenreName").map { Genre(id: row.text("primaryGenreId") ?? $0, name: $0) }
        let poster = ITunesArtwork.first(
            of: ["artworkUrl100", "artworkUrl60", "artworkUrl30"].map { row.text($0) }, kind: .poster)
        let directors = Self.names(row.text("artistName"))
        // Out of five.
        let score = row.number("averageUserRating").flatMap {
            AudienceScore(average: $0 * 2, count: row.integer("userRatingCount") ?? 0)
        }
        guard
            let summary = MovieSummary(
                id: id, title: title, overview: row.text("longDescription") ?? row.text("shortDescription") ?? "",
                releaseDate: date?.date, year: date?.year, genres: genre.map { [$0] } ?? [], directors: directors,
                score: score, poster: poster.map { PosterReference(.web(url: $0)) })
        else { return nil }
        self.movie = Movie(
            summary: summary,
            runtimeMinutes: row.integer("trackTimeMillis").map { ($0 + 30_000) / 60_000 },
            certificate: row.text("contentAdvisoryRating"),
            credits: Credits(cast: [], crew: directors.map { Credits.CrewMember(name: $0, job: "Director") }),
            homepage: WebAddress.page(row.text("trackViewUrl")), information: Self.information(row))
    }

    /// `Joel Coen & Ethan Coen` are two.
    private static func names(_ text: String?) -> [String] {
        (text ?? "").split(separator: " & ").flatMap { PlainText.parts(of: String($0), separator: ",") }
    }

    private static func information(_ row: TolerantObject) -> [InformationItem] {
        let currency = row.text("currency") ?? ""
        let prices = [
            ("price", "trackPrice"), ("hdPrice", "trackHdPrice"), ("rentalPrice", "trackRentalPrice"),
            ("hdRentalPrice", "trackHdRentalPrice"), ("collectionPrice", "collectionPrice"),
        ].compactMap { name, member in
            // -1: it is not sold so.
            row.number(member).flatMap { $0 < 0 ? nil : (name, PlainText.trimmed("\($0) \(currency)")) }
        }
        let others: [(String, String?)] = [
            ("collection", row.text("collectionName")), ("preview", WebAddress.page(row.text("previewUrl"))),
        ]
        return (prices + others.compactMap { name, value in value.map { (name, $0) } }).map {
            InformationItem(name: $0.0, value: $0.1)
        }
    }
}
