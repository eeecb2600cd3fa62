/// What somebody wrote about a film.
public struct Review: Hashable, Sendable {
    /// The longest preview, in characters as people count them (grapheme clusters, UAX #29).
    public static let previewLength = 300

    /// Unique among the reviews of its source.
    public let id: String
    /// As they call themselves.
    public let author: String
    /// From 0 to 10; nil without one.
    public let score: Double?
    /// All of it, without outer white space.
    public let content: String
    /// nil when unknown.
    public let createdAt: Instant?
    /// A page that shows it; nil without one.
    public let url: String?

    /// What somebody wrote; a score that is none does not count.
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

    /// Its beginning: at most ``previewLength`` characters, none of them cut.
    public var preview: String { String(self.content.prefix(Self.previewLength)) }

    /// Whether there is more of it than the preview.
    public var isTruncated: Bool { self.content.dropFirst(Self.previewLength).first != nil }
}
