/// A review of a film.
public struct Review: Hashable, Sendable {
    /// The longest preview, in grapheme clusters (UAX #29).
    public static let previewLength = 300

    /// Unique among the reviews of its source.
    public let id: String
    /// The author's display name.
    public let author: String
    /// From 0 to 10; nil without a score.
    public let score: Double?
    /// The full text, without leading or trailing white space.
    public let content: String
    /// nil when unknown.
    public let createdAt: Instant?
    /// The review's web page; nil without one.
    public let url: String?

    /// A review; a score outside 0 to 10 becomes nil.
    public init(
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
    public var preview: String { String(self.content.prefix(Self.previewLength)) }

    /// Whether the preview is shorter than the content.
    public var isTruncated: Bool { self.content.dropFirst(Self.previewLength).first != nil }
}
