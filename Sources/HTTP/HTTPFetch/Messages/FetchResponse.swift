/// The head of the final response, with the origin's headers as they are, unverified.
public struct FetchResponseHead: Sendable, Hashable {
    /// The status code, such as 200 or 304.
    public var status: Int
    /// The URL of the response, after redirects; normalised, without a fragment.
    public var finalURL: String
    /// The media type with its parameters, as sent.
    public var contentType: String?
    /// The declared length in bytes, *before* content decoding; nil when none was declared or the body is chunked.
    public var contentLength: Int?
    /// The entity tag with its quotes and, for a weak one, its `W/`.
    public var etag: String?
    /// The date, as sent.
    public var lastModified: String?
    /// The directives, as sent; several header lines are joined by a comma.
    public var cacheControl: String?
    /// When the response becomes stale (`Expires`), in seconds since 1970; 0 for a date that cannot be read (RFC 9111, 5.3).
    public var expires: Int64?
    /// When the origin created the response (`Date`), in seconds since 1970; nil for a date that cannot be read.
    public var date: Int64?
    /// How long the response was in caches (`Age`), in seconds.
    public var age: Int64?
    /// The time from `Retry-After`; a date there is relative to `Date`. In a fetch's result, at most
    /// ``RetryPolicy/maxPause``.
    public var retryAfter: Duration?

    /// A head, for tests of sinks.
    public init(
        status: Int,
        finalURL: String,
        contentType: String? = nil,
        contentLength: Int? = nil,
        etag: String? = nil,
        lastModified: String? = nil,
        cacheControl: String? = nil,
        expires: Int64? = nil,
        date: Int64? = nil,
        age: Int64? = nil,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.finalURL = finalURL
        self.contentType = contentType
        self.contentLength = contentLength
        self.etag = etag
        self.lastModified = lastModified
        self.cacheControl = cacheControl
        self.expires = expires
        self.date = date
        self.age = age
        self.retryAfter = retryAfter
    }
}

/// A complete response: its head, and how much of the body the sink got.
@dynamicMemberLookup
public struct FetchResponse: Sendable, Hashable {
    /// Its members are also members of the response.
    public var head: FetchResponseHead
    /// The bytes of the body that the sink took, from its start; 0 unless the status is 200, or error bodies
    /// are kept.
    public var receivedByteCount: Int

    /// A response, for fakes.
    public init(head: FetchResponseHead, receivedByteCount: Int) {
        self.head = head
        self.receivedByteCount = receivedByteCount
    }

    /// A member of the head.
    public subscript<Value>(dynamicMember member: KeyPath<FetchResponseHead, Value>) -> Value {
        self.head[keyPath: member]
    }
}
