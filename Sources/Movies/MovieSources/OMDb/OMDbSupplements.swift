public import MovieDomain
public import UpstreamClient

/// What OMDb adds to films of others: scores, above all.
public struct OMDbSupplements: SupplementRepository {
    private let client: UpstreamClient

    /// ``MovieSource/omdb``
    public var source: MovieSource { .omdb }

    /// - Parameter client: ``UpstreamClient/omdb(key:baseURL:dailyRequests:transport:store:now:logger:)``
    public init(_ client: UpstreamClient) {
        self.client = client
    }

    /// nil for what is no id, too.
    public func supplement(imdbID: String) async throws -> MovieSupplement? {
        guard let id = MovieID(source: .omdb, key: imdbID), let film = try await self.client.omdbFilm(id.key),
            film.id == id
        else { return nil }
        return film.supplement
    }
}
