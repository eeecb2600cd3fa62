public import MovieDomain
public import UpstreamClient

/// The films of KOBIS: facts without plots, posters and opinions.
public struct KOBISMovies: UnreviewedMovies {
    /// How long facts are fresh.
    private static let lifetime: Duration = .seconds(86_400)
    /// How long what a search found is fresh.
    private static let searchLifetime: Duration = .seconds(4 * 3600)
    /// The most films that a search finds.
    private static let searchLimit = 50

    private let client: UpstreamClient

    /// ``MovieSource/kobis``
    public var source: MovieSource { .kobis }

    /// - Parameter client: ``UpstreamClient/kobis(key:baseURL:transport:store:now:logger:)``
    public init(_ client: UpstreamClient) {
        self.client = client
    }

    /// A film; nil when there is none of that id.
    public func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try await self.film(id)?.movie(in: language)
    }

    /// All who made it; nil when there is no such film.
    public func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.film(id)?.credits(in: language)
    }

    /// Films whose titles contain a text, in KOBIS's order.
    ///
    /// - Parameter year: Of production or opening, or the one before or after; nil for any.
    public func search(title: String, year: Int?, language: LanguagePreference) async throws -> [MovieSummary] {
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
                throw UnreadableAnswer(reason: "has a film without a code or a title")
            }
            return film
        }
        return film?.id == id ? film : nil
    }
}
