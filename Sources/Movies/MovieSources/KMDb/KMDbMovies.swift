public import MovieDomain
public import UpstreamClient

/// The films of KMDb, which knows those from before the cinemas' computers, too.
public struct KMDbMovies: UnreviewedMovies {
    private let client: UpstreamClient

    /// ``MovieSource/kmdb``
    public var source: MovieSource { .kmdb }

    /// - Parameter client: ``UpstreamClient/kmdb(key:baseURL:transport:store:now:logger:)``
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

    /// An id is a letter and a number, `F01071`, which are asked for apart.
    private func film(_ id: MovieID) async throws -> KMDbFilm? {
        let letters = id.key.prefix { !("0"..."9").contains($0) }
        let number = id.key.dropFirst(letters.count)
        guard id.source == .kmdb, !letters.isEmpty, !number.isEmpty, number.allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        let films = try await self.client.kmdbFilms([("movieId", String(letters)), ("movieSeq", String(number))])
        return films.first { $0.id == id }
    }
}
