import MovieDomain
import UpstreamClient

/// A page of reviews as TMDB tells, the latest of it first.
struct TMDBReviews: Sendable {
    let reviews: [Review]
    let totalPages: Int
    let totalResults: Int

    init(decoding answer: UpstreamAnswer) throws {
        try self.init(TolerantJSON.object(answer.body))
    }

    init(_ object: TolerantObject) throws {
        guard object.has("results") else { throw UnreadableAnswer(reason: "has no results") }
        let reviews = object.rows("results").compactMap(Self.review)
        // Those without a time stay behind the others, in their order.
        self.reviews = reviews.enumerated().sorted { left, right in
            let moments = [left, right].map { $0.element.createdAt?.secondsSince1970 ?? .min }
            return (moments[1], left.offset) < (moments[0], right.offset)
        }.map(\.element)
        self.totalPages = min(TMDB.pageLimit, object.integer("total_pages") ?? (reviews.isEmpty ? 0 : 1))
        self.totalResults = object.integer("total_results") ?? reviews.count
    }

    func page(_ number: Int) -> Page<Review> {
        Page(number: number, results: self.reviews, totalPages: self.totalPages, totalResults: self.totalResults)
    }

    private static func review(_ row: TolerantObject) -> Review? {
        guard let content = row.text("content"), let id = row.text("id") else { return nil }
        let details = row.object("author_details")
        let author = row.text("author") ?? details?.text("name") ?? details?.text("username") ?? ""
        let url = row.text("url").flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
        return Review(
            id: id, author: author, score: details?.number("rating"),
            content: content.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n"),
            createdAt: row.date("created_at")?.instant, url: url)
    }
}
