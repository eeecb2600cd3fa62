package import MovieDomain
package import UpstreamClient

/// The films of KOBIS: facts without plots, posters or reviews.
package struct KOBISMovies: MovieRepository {
    private static let lifetime: Duration = .seconds(86_400)

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
