package import MovieDomain
package import UpstreamClient

/// The films of KOBIS: facts without plots, posters and opinions.
package struct KOBISMovies: UnreviewedMovies {
    /// How long facts are fresh.
    private static let lifetime: Duration = .seconds(86_400)
    /// How long what a search found is fresh.
    private static let searchLifetime: Duration = .seconds(4 * 3600)
    /// The most films that a search finds.
    private static let searchLimit = 50

    private let client: UpstreamClient

    package var source: MovieSource { .kobis }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try await self.film(id)?.movie(in: language)
    }

    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.film(id)?.credits(in: language)
    }

    /// Films with a text in their titles, in KOBIS's order.
    /// - Parameter year: Of production or opening, or the one before or after; nil for any.
    package func search(title: String, year: Int?, language: LanguagePreference) async throws -> [MovieSummary] {
        var query = [(name: "movieNm", value: title), ("itemPerPage", "\(Self.searchLimit)")]
        if let year {
            // Films are made before they open.
            query += [("prdtStartYear", "\(year - 2)"), ("prdtEndYear", "\(year + 1)")]
        }
        let request = UpstreamRequest("/movie/searchMovieList.json", query: query, lifetime: Self.searchLifetime)
        let films = try await self.client.get(request) { try KOBISListedFilm.films(in: $0.body) } ?? []
        return films.filter { $0.isOf(year) }.compactMap { $0.summary(in: language) }
    }

    private func film(_ id: MovieID) async throws -> KOBISFilm? {
        guard id.source == .kobis else { return nil }
        let request = UpstreamRequest(
            "/movie/searchMovieInfo.json", query: [("movieCd", id.key)], lifetime: Self.lifetime)
        let film = try await self.client.get(request) { answer -> KOBISFilm in
            guard let film = try KOBISFilm.film(in: answer.body) else {
                throw UnreadableResponse(reason: "has a film without a code or a title")
            }
            return film
        }
        return film?.id == id ? film : nil
    }
}

/// A film of KOBIS's search.
struct KOBISListedFilm: Hashable, Sendable {
    let id: MovieID
    let title: KOBISFilm.Name
    let productionYear: Int?
    /// In Korea.
    let openingDate: TolerantDate?
    /// `개봉` once it was shown.
    let status: String?
    let nations: [String]
    let genres: [String]
    let directors: [String]

    /// The films of a page of the search.
    static func films(in body: [UInt8]) throws(UnreadableResponse) -> [KOBISListedFilm] {
        guard let result = try TolerantJSON.object(body).object("movieListResult") else {
            throw UnreadableResponse(reason: "has no movieListResult")
        }
        return result.rows("movieList").compactMap(KOBISListedFilm.init(row:))
    }

    private init?(row: TolerantObject) {
        guard let id = row.text("movieCd").flatMap({ MovieID(source: .kobis, key: $0) }),
            let title = KOBISFilm.Name(row, korean: "movieNm", english: "movieNmEn")
        else { return nil }
        self.id = id
        self.title = title
        self.productionYear = row.integer("prdtYear")
        self.openingDate = row.date("openDt")
        self.status = row.text("prdtStatNm")
        self.nations = PlainText.parts(of: row.text("nationAlt") ?? row.text("repNationNm"), separator: ",")
        self.genres = PlainText.parts(of: row.text("genreAlt") ?? row.text("repGenreNm"), separator: ",")
        self.directors = row.rows("directors").compactMap { $0.text("peopleNm") }
    }

    /// Whether it was made or opened in a year, or in the one before or after; any film is of none.
    func isOf(_ year: Int?) -> Bool {
        guard let year else { return true }
        let years = [self.productionYear, self.openingDate?.year].compactMap { $0 }
        return years.isEmpty || years.contains { abs($0 - year) <= 1 }
    }

    func summary(in language: LanguagePreference) -> MovieSummary? {
        let original: Language? = self.nations.first == "한국" ? .korean : nil
        return MovieSummary(
            id: self.id, title: self.title.text(in: language, original: original),
            originalTitle: original == .korean ? self.title.korean : self.title.english, originalLanguage: original,
            releaseDate: self.openingDate?.date, year: self.openingDate?.year ?? self.productionYear,
            genres: self.genres.map { Genre(id: $0, name: $0) }, directors: self.directors)
    }
}
