public import MovieDomain
public import UpstreamClient

/// The films that the iTunes Store sells.
public struct ITunesMovies: UnreviewedMovies {
    private static let lifetime: Duration = .seconds(86_400)

    private let client: UpstreamClient
    private let country: ITunesCountry

    /// ``MovieSource/itunes``
    public var source: MovieSource { .itunes }

    /// - Parameters:
    ///   - client: ``UpstreamClient/iTunes(baseURL:transport:store:now:logger:)``
    ///   - country: Whose store it is, and mostly whose language.
    public init(_ client: UpstreamClient, country: ITunesCountry = .korea) {
        self.client = client
        self.country = country
    }

    /// A film; nil when there is none of that id, or something else.
    public func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        guard id.source == .itunes else { return nil }
        var query = [(name: "id", value: id.key), ("country", self.country.description)]
        let spoken = Self.languages.first { $0.language == language.first }
        if let spoken { query.append(("lang", spoken.tag)) }
        let request = UpstreamRequest("/lookup", query: query, language: spoken?.language, lifetime: Self.lifetime)
        let films = try await self.client.get(request) { try ITunesResults($0.body).films } ?? []
        return films.first { $0.movie.id == id }?.movie
    }

    /// The director alone; nil when there is no such film.
    public func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.movie(id, language: language)?.credits
    }

    /// What the store says beside its country's language.
    private static let languages: [(language: Language, tag: String)] = [
        (.english, "en_us"), (Language("ja"), "ja_jp"),
    ].compactMap { language, tag in language.map { ($0, tag) } }
}
