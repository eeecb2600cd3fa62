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

/// The scores that MDBList collects for a film.
struct MDBListFilm: Sendable {
    /// The number of ratings to read; MDBList sends about ten.
    static let ratingLimit = 50

    /// `nil` if the response has none.
    let imdbID: String?
    /// At most one per site, in the order of ``MDBListSite/all``.
    let scores: [ExternalScore]

    init(in body: [UInt8]) throws(UnreadableResponse) {
        let answer = try TolerantJSON.object(body)
        guard answer.has("ratings") else { throw UnreadableResponse(reason: "has no ratings") }
        self.imdbID = answer.object("ids")?.text("imdb")
        var values: [String: String] = [:]
        for rating in answer.rows("ratings", limit: Self.ratingLimit) {
            guard let source = rating.text("source"), let site = MDBListSite.named(source),
                values[site.name] == nil, let value = site.value(in: rating)
            else { continue }
            values[site.name] = value
        }
        self.scores = MDBListSite.all.compactMap { site in
            values[site.name].map { ExternalScore(name: site.name, value: $0) }
        }
    }
}
