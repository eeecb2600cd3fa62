import BoundedCache
package import MovieDomain
import UpstreamClient

extension TMDBMovies: IMDbTitleFinder {
    /// Finds a film, and caches its poster's location.
    package func film(ofIMDbTitle title: String) async throws -> MovieID? {
        try await self.tmdb.titles(title, at: .imdb)?.film
    }
}

/// The film and the series with an id at another site; at most one of each.
struct TMDBTitles: Sendable {
    let film: MovieID?
    /// The series' number.
    let series: Int?
}

extension TMDB {
    /// A title's film hardly ever changes.
    private static let titleLifetime = Duration.seconds(7 * 86_400)

    /// Finds a film or series by its id at another site, and caches the location of a film's poster.
    func titles(_ id: String, at registry: TitleRegistry) async throws -> TMDBTitles? {
        let language = self.posterLanguage
        let source =
            switch registry {
            case .imdb: "imdb_id"
            case .tvdb: "tvdb_id"
            }
        let request = UpstreamRequest(
            "/find/\(id)", query: [("external_source", source), ("language", TMDB.tag(language))],
            language: language, lifetime: Self.titleLifetime)
        let posters = self.knownPosters
        return try await self.client.get(request) { response in
            let object = try TolerantJSON.object(response.body)
            guard object.has("movie_results") else { throw UnreadableResponse(reason: "has no movie_results") }
            let film = object.rows("movie_results").lazy.compactMap(TMDBRow.init).first
            if let film { posters.insert(film.poster, for: TMDB.PosterKey(id: film.id, language: language)) }
            let series = object.rows("tv_results").lazy.compactMap { $0.integer("id") }.first { $0 > 0 }
            return TMDBTitles(film: film?.id, series: series)
        }
    }
}
