/// What an upstream said.
public struct UpstreamAnswer: Sendable, Hashable {
    /// Of HTTP.
    public var status: Int
    /// The media type with its parameters, as sent.
    public var contentType: String?
    /// The entity tag with its quotes.
    public var etag: String?
    /// The directives, as sent.
    public var cacheControl: String?
    /// How long the upstream wants to be left alone; nil when it does not say.
    public var retryAfter: Duration?
    /// At most as large as ``UpstreamClient/Limits/answerBytes``.
    public var body: [UInt8]

    /// Something said.
    public init(
        status: Int, contentType: String? = nil, etag: String? = nil, cacheControl: String? = nil,
        retryAfter: Duration? = nil, body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.etag = etag
        self.cacheControl = cacheControl
        self.retryAfter = retryAfter
        self.body = body
    }
}
