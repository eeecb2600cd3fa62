package import MovieDomain
package import UpstreamClient

/// The films of OMDb, in English.
package struct OMDbMovies: MovieRepository {
    private let client: UpstreamClient

    package var source: MovieSource { .omdb }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// - Returns: `nil` if there is no title of this id, or it is a series.
    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        guard id.source == .omdb, let film = try await self.client.omdbFilm(id.key), film.id == id else { return nil }
        return film.movie
    }
}

/// OMDb's facts about films of other sources, mainly scores.
package struct OMDbSupplements: SupplementRepository {
    private let client: UpstreamClient

    package var source: MovieSource { .omdb }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// - Returns: `nil` also if the id is invalid.
    package func supplement(imdbID: String) async throws -> MovieSupplement? {
        guard let id = MovieID(source: .omdb, key: imdbID), let film = try await self.client.omdbFilm(id.key),
            film.id == id
        else { return nil }
        return film.supplement
    }
}
