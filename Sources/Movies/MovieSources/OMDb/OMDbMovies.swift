package import MovieDomain
package import UpstreamClient

/// The films of OMDb, in English.
package struct OMDbMovies: MovieRepository {
    private let client: UpstreamClient

    package var source: MovieSource { .omdb }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// A film; nil when there is none of that id, or a series.
    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        guard id.source == .omdb, let film = try await self.client.omdbFilm(id.key), film.id == id else { return nil }
        return film.movie
    }
}

/// What OMDb adds to films of others: scores, above all.
package struct OMDbSupplements: SupplementRepository {
    private let client: UpstreamClient

    package var source: MovieSource { .omdb }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// nil for what is no id, too.
    package func supplement(imdbID: String) async throws -> MovieSupplement? {
        guard let id = MovieID(source: .omdb, key: imdbID), let film = try await self.client.omdbFilm(id.key),
            film.id == id
        else { return nil }
        return film.supplement
    }
}
