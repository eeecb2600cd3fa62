import MovieDomain
import UpstreamClient

/// What the iTunes Search API answers, to searches and lookups alike.
struct ITunesResults {
    /// As many as there were, whatever they are.
    let count: Int
    let rows: [TolerantObject]

    /// - Throws: ``UnreadableAnswer``.
    init(_ body: [UInt8]) throws(UnreadableAnswer) {
        let answer = try TolerantJSON.object(body)
        guard answer.has("resultCount") || answer.has("results") else {
            throw UnreadableAnswer(reason: "has no results")
        }
        self.rows = answer.rows("results")
        self.count = max(self.rows.count, answer.integer("resultCount") ?? 0)
    }

    /// A search without strict media mixes kinds.
    var apps: [StoreApp] { self.rows.compactMap(StoreApp.init(itunes:)) }
    var films: [ITunesFilm] { self.rows.compactMap(ITunesFilm.init(row:)) }
}
