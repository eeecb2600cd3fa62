/// The head of the final response, with the origin's headers as they are, unverified.
public struct FetchResponseHead: Sendable, Hashable {
    /// The status code, such as 200 or 304.
    package var status = 0
    /// The URL of the response, after redirects; normalised, without a fragment.
    package var finalURL = ""
    /// The media type with its parameters, as sent.
    package var contentType: String?
    /// The declared length in bytes, *before* content decoding; nil when none was declared or the body is chunked.
    package var contentLength: Int?
    /// The entity tag with its quotes and, for a weak one, its `W/`.
    package var etag: String?
    /// The date, as sent.
    package var lastModified: String?
    /// The directives, as sent; several header lines are joined by a comma.
    package var cacheControl: String?
    /// When the response becomes stale (`Expires`), in seconds since 1970; 0 for a date that cannot be read (RFC 9111, 5.3).
    package var expires: Int64?
    /// When the origin created the response (`Date`), in seconds since 1970; nil for a date that cannot be read.
    package var date: Int64?
    /// How long the response was in caches (`Age`), in seconds.
    package var age: Int64?
    /// The time from `Retry-After`; a date there is relative to `Date`. In a fetch's result, at most
    /// ``RetryPolicy/maxPause``.
    package var retryAfter: Duration?
    /// The fields that ``FetchRequest/keptFieldPrefix`` selects, by name in lower case; of a name that occurs twice the first.
    package var keptFields: [String: String] = [:]
}

/// A complete response: its head, and how much of the body the sink got.
@dynamicMemberLookup
public struct FetchResponse: Sendable, Hashable {
    /// Its members are also members of the response.
    public var head: FetchResponseHead
    /// The bytes of the body that the sink took, from its start; 0 unless the status is 200, or error bodies
    /// are kept.
    package var receivedByteCount: Int

    /// A member of the head.
    public subscript<Value>(dynamicMember member: KeyPath<FetchResponseHead, Value>) -> Value {
        self.head[keyPath: member]
    }
}

/// The receiver of the body of a 200, and of the part of other bodies that ``FetchRequest/errorBodyLimit`` allows.
///
/// A body that breaks off is requested again. If the rest is available, the sink continues to receive; if not, it begins
/// anew. What it has is complete only when the fetch has returned with a 200, or with the status that it was begun with: a
/// response with another status may follow a body that broke off.
///
/// Both methods are called on the fetcher's only thread, in order, and delay every other transfer while they run: they must
/// be short and must not block. Neither is called once ``Fetcher/fetch(_:into:)`` has returned or thrown.
public protocol FetchSink: AnyObject, Sendable {
    /// Called before the first byte of a 200, and of any other final response if error bodies are kept. When called again, the
    /// sink must discard everything that it has received.
    ///
    /// - Returns: Whether the body is wanted; `false` ends the fetch with ``FetchError/sinkFailed``.
    func begin(_ head: FetchResponseHead) -> Bool

    /// Takes the next bytes of the body.
    /// - Parameter bytes: Content-decoded, never empty, and valid only during the call.
    /// - Returns: Whether they could be stored; `false` ends the fetch with ``FetchError/sinkFailed``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension FetchSink {
    /// Accepts every body.
    public func begin(_ head: FetchResponseHead) -> Bool { true }
}
