/// A review of a film.
package struct Review: Hashable, Sendable {
    /// The longest preview, in grapheme clusters (UAX #29).
    package static let previewLength = 300

    /// Unique among the reviews of its source.
    package let id: String
    /// The author's display name.
    package let author: String
    /// From 0 to 10; nil without a score.
    package let score: Double?
    /// The full text, without leading or trailing white space.
    package let content: String
    /// nil when unknown.
    package let createdAt: Instant?
    /// The review's web page; nil without one.
    package let url: String?

    /// A review; a score outside 0 to 10 becomes nil.
    package init(
        id: String, author: String, score: Double? = nil, content: String, createdAt: Instant? = nil,
        url: String? = nil
    ) {
        self.id = id
        self.author = author
        self.score = score.flatMap { (0...10).contains($0) ? $0 : nil }
        self.content = content
        self.createdAt = createdAt
        self.url = url
    }

    /// The first ``previewLength`` characters.
    package var preview: String { String(self.content.prefix(Self.previewLength)) }

    /// Whether the preview is shorter than the content.
    package var isTruncated: Bool { self.content.dropFirst(Self.previewLength).first != nil }
}
