package import MovieDomain
package import UpstreamClient

/// The films of the iTunes Store.
package struct ITunesMovies: MovieRepository {
    private static let lifetime: Duration = .seconds(86_400)

    private let client: UpstreamClient
    private let country: ITunesCountry

    package var source: MovieSource { .itunes }

    /// - Parameter country: Determines the store, and usually the language.
    package init(_ client: UpstreamClient, country: ITunesCountry = .korea) {
        self.client = client
        self.country = country
    }

    /// - Returns: `nil` if there is no item of this id, or it is not a film.
    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        guard id.source == .itunes else { return nil }
        var query = [(name: "id", value: id.key), ("country", self.country.description)]
        let spoken = ITunesLanguage(language)
        if let spoken { query.append(("lang", spoken.tag)) }
        let request = UpstreamRequest("/lookup", query: query, language: spoken?.language, lifetime: Self.lifetime)
        let place = Country(code: self.country.description)
        let films = try await self.client.get(request) { try ITunesResults($0.body).films(in: place) } ?? []
        return films.first { $0.id == id }?.movie(in: language)
    }
}

/// A film of the iTunes Store.
struct ITunesFilm: Hashable, Sendable {
    private let movie: Movie
    private let genre: String?

    var id: MovieID { self.movie.id }

    /// - Parameter language: The language of the genre's name.
    func movie(in language: LanguagePreference) -> Movie {
        var movie = self.movie
        movie.summary.genres = Genre.reading(self.genre.map { [$0] } ?? [], in: language)
        return movie
    }

    /// - Parameter country: The store's country; `nil` for a store without age ratings.
    /// - Returns: `nil` if the item is not a film, or has no title.
    init?(row: TolerantObject, in country: Country?) {
        guard row.text("kind") == "feature-movie",
            let id = row.integer("trackId").flatMap({ MovieID(source: .itunes, key: String($0)) }),
            let title = row.text("trackName") ?? row.text("trackCensoredName")
        else { return nil }
        let date = row.date("releaseDate")
        let poster = ITunesArtwork.first(
            of: ["artworkUrl100", "artworkUrl60", "artworkUrl30"].map { row.text($0) }, kind: .poster)
        let directors = Self.names(row.text("artistName"))
        // The store's averages are out of five.
        let score = AudienceScore(
            average: row.number("averageUserRating").map { $0 * 2 }, count: row.integer("userRatingCount"))
        guard
            let summary = MovieSummary(
                id: id, title: title, overview: row.text("longDescription") ?? row.text("shortDescription") ?? "",
                releaseDate: date?.date, year: date?.year, directors: directors,
                score: score, poster: poster.map { PosterReference(.web(url: $0)) })
        else { return nil }
        self.genre = row.text("primaryGenreName")
        self.movie = Movie(
            summary: summary,
            runtimeMinutes: row.integer("trackTimeMillis").map { ($0 + 30_000) / 60_000 },
            certificate: country.flatMap { country in
                row.text("contentAdvisoryRating").flatMap { Certificate($0, in: country) }
            },
            credits: Credits(cast: [], crew: directors.map { .director($0) }),
            homepage: WebURL.valid(row.text("trackViewUrl")), information: Self.information(row),
            videos: [Self.preview(row, id)].compactMap { $0 })
    }

    /// The preview as a video, which the store serves as a file.
    private static func preview(_ row: TolerantObject, _ id: MovieID) -> Video? {
        guard let url = WebURL.valid(row.text("previewUrl")), Self.isOfApple(url) else { return nil }
        return Video(
            id: id.key, kind: .trailer, site: .itunes, key: id.key, name: row.text("trackName") ?? "", isOfficial: true,
            url: url)
    }

    /// Whether the URL is HTTPS with a host of Apple's, without user and port.
    private static func isOfApple(_ url: String) -> Bool {
        guard url.lowercased().hasPrefix("https://") else { return false }
        let host = url.dropFirst("https://".count).prefix { !"/?#".contains($0) }.lowercased()
        return host.hasSuffix(".apple.com") && !host.contains("@") && !host.contains(":")
    }

    /// Splits names: `Joel Coen & Ethan Coen` are two. At most ``ResponseLimits/rows``.
    private static func names(_ text: String?) -> [String] {
        let groups = (text ?? "").split(separator: " & ", maxSplits: ResponseLimits.rows)
        let names = groups.flatMap { PlainText.parts(of: String($0), separator: ",") }
        return Array(names.prefix(ResponseLimits.rows))
    }

    private static func information(_ row: TolerantObject) -> [InformationItem] {
        let currency = row.text("currency") ?? ""
        let members: [(InformationName, String)] = [
            (.price, "trackPrice"), (.hdPrice, "trackHdPrice"), (.rentalPrice, "trackRentalPrice"),
            (.hdRentalPrice, "trackHdRentalPrice"), (.collectionPrice, "collectionPrice"),
        ]
        let prices = members.map { name, member -> (InformationName, String?) in
            // -1 means not sold in this form.
            (name, row.number(member).flatMap { $0 < 0 ? nil : PlainText.trimmed("\($0) \(currency)") })
        }
        let others: [(InformationName, String?)] = [
            (.collection, row.text("collectionName")), (.preview, WebURL.valid(row.text("previewUrl"))),
        ]
        return InformationItem.items(prices + others)
    }
}
