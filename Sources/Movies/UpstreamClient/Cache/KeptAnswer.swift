public import MovieDomain

/// An answer as an ``AnswerStore`` keeps it.
public struct KeptAnswer: Sendable, Hashable {
    /// 200, or 404 for what is known not to be.
    public var status: Int
    /// The entity tag with its quotes.
    public var etag: String?
    /// When it was told, or confirmed.
    public var keptAt: Instant
    /// When it is to be confirmed.
    public var freshUntil: Instant
    /// Empty for a 404.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, etag: String?, keptAt: Instant, freshUntil: Instant, body: [UInt8]) {
        self.status = status
        self.etag = etag
        self.keptAt = keptAt
        self.freshUntil = freshUntil
        self.body = body
    }

    /// As it was told.
    var answer: UpstreamAnswer { UpstreamAnswer(status: self.status, etag: self.etag, body: self.body) }
}
