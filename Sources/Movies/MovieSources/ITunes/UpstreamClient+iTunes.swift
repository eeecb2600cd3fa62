import MovieDomain
package import UpstreamClient

extension UpstreamClient {
    package static let iTunesBaseURL = "https://itunes.apple.com"

    /// The pause after a refusal without `Retry-After`, in seconds.
    private static let iTunesPause = 60

    /// A client of the iTunes Search API, which needs no key and allows about 20 requests a minute; the transport
    /// limits the rate.
    /// - Parameter baseURL: The base URL without a trailing slash.
    package static func iTunes(
        baseURL: String = iTunesBaseURL, in environment: Environment
    ) -> UpstreamClient {
        var lifetimes = UpstreamLifetimes()
        lifetimes.uncertain = .seconds(Self.iTunesPause)
        return UpstreamClient(
            source: .itunes, baseURL: baseURL, lifetimes: lifetimes, in: environment,
            classify: { Self.iTunesVerdict($0) })
    }

    /// Classifies responses: after too many requests, the API sends a 403 or 429, an empty body, or an empty result.
    static func iTunesVerdict(_ answer: UpstreamResponse) -> ResponseClassification {
        let isEmpty = !answer.body.contains { $0 > 32 }
        if [403, 429].contains(answer.status) || (answer.status == 200 && isEmpty) {
            let wait = answer.retryAfter.map { Int(clamping: $0.components.seconds) } ?? Self.iTunesPause
            return .failure(.busy(.itunes, retryAfterSeconds: max(1, wait)))
        }
        guard answer.status == 200, answer.body.count <= 1024, let results = try? ITunesResults(answer.body),
            results.count == 0
        else { return .byStatus }
        return .uncertain
    }
}

/// A response of the iTunes Search API to a search or lookup.
struct ITunesResults {
    /// The number of items of any kind.
    let count: Int
    let rows: [TolerantObject]

    init(_ body: [UInt8]) throws(UnreadableResponse) {
        let answer = try TolerantJSON.object(body)
        guard answer.has("resultCount") || answer.has("results") else {
            throw UnreadableResponse(reason: "has no results")
        }
        self.rows = answer.rows("results")
        self.count = max(self.rows.count, answer.integer("resultCount") ?? 0)
    }

    /// The apps among the rows: a search that is not restricted to one medium returns items of several kinds.
    var apps: [StoreApp] { self.rows.compactMap(StoreApp.init(itunes:)) }

    func films(in country: Country?) -> [ITunesFilm] {
        self.rows.compactMap { ITunesFilm(row: $0, in: country) }
    }
}
