import BoundedCache
package import MovieDomain
import UpstreamClient

extension TMDBMovies: IMDbTitleFinder {
    /// A title's film hardly ever changes.
    private static let titleLifetime = Duration.seconds(7 * 86_400)

    /// Finds a film, and caches its poster's location.
    package func film(ofIMDbTitle title: String) async throws -> MovieID? {
        let language = self.tmdb.posterLanguage
        let request = UpstreamRequest(
            "/find/\(title)", query: [("external_source", "imdb_id"), ("language", TMDB.tag(language))],
            language: language, lifetime: Self.titleLifetime)
        let posters = self.tmdb.knownPosters
        return try await self.tmdb.client.get(request) { response in
            let object = try TolerantJSON.object(response.body)
            guard object.has("movie_results") else { throw UnreadableResponse(reason: "has no movie_results") }
            let film = object.rows("movie_results").lazy.compactMap(TMDBRow.init).first
            if let film { posters.insert(film.poster, for: TMDB.PosterKey(id: film.id, language: language)) }
            return FoundTitle(film: film?.id)
        }?.film
    }

    /// The films of a title in a response: one or none.
    private struct FoundTitle: Sendable {
        let film: MovieID?
    }
}
