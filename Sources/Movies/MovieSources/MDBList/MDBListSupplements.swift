package import MovieDomain
package import UpstreamClient

/// MDBList's scores of other sources' films.
package struct MDBListSupplements: SupplementRepository {
    private let client: UpstreamClient

    package var source: MovieSource { .mdblist }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// - Returns: `nil` also if the id is invalid, and for a film without scores.
    package func supplement(imdbID: String) async throws -> MovieSupplement? {
        // OMDb's ids of films are IMDb's.
        guard let id = MovieID(source: .omdb, key: imdbID), let film = try await self.client.mdblistFilm(id.key),
            film.imdbID ?? id.key == id.key, !film.scores.isEmpty
        else { return nil }
        return MovieSupplement(
            scores: film.scores, certificate: nil, plot: "", actors: [], runtimeMinutes: nil, information: [])
    }
}
