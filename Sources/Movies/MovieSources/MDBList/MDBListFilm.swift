import MovieDomain
import UpstreamClient

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
