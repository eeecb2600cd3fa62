/// The head of the final response. Its headers are the origin's, unverified.
public struct FetchResponseHead: Sendable, Hashable {
    package var status = 0
    /// The URL of the response, after redirects; normalised, without a fragment.
    package var finalURL = ""
    /// The media type with its parameters, as sent.
    package var contentType: String?
    /// The declared length in bytes, *before* content decoding; `nil` if none was declared or the body is chunked.
    package var contentLength: Int?
    /// The entity tag with its quotes and, for a weak one, its `W/`.
    package var etag: String?
    /// The date, as sent.
    package var lastModified: String?
    /// The directives, as sent; several fields are joined by commas.
    package var cacheControl: String?
    /// When the response becomes stale (`Expires`), in seconds since 1970; 0 if the date is invalid (RFC 9111, 5.3).
    package var expires: Int64?
    /// When the origin created the response (`Date`), in seconds since 1970; `nil` if the date is invalid.
    package var date: Int64?
    /// How long the response has been in caches (`Age`), in seconds.
    package var age: Int64?
    /// Whether no other request selects the response (`Vary: *`).
    package var variesByAnything = false
    /// The duration of `Retry-After`; a date is relative to `Date`. At most ``RetryPolicy/maxPause`` in a fetch's
    /// result.
    package var retryAfter: Duration?
    /// The fields selected by ``FetchRequest/keptFieldPrefix``, by name in lower case; of repeated fields the first.
    package var keptFields: [String: String] = [:]
}

/// A complete response: its head, and the number of body bytes that the sink received.
@dynamicMemberLookup
public struct FetchResponse: Sendable, Hashable {
    /// The head; its members are also members of the response.
    public var head: FetchResponseHead
    /// Number of body bytes that the sink received, from the body's start; 0 unless the status is 200, or error bodies
    /// are requested.
    package var receivedByteCount: Int

    /// A member of the head.
    public subscript<Value>(dynamicMember member: KeyPath<FetchResponseHead, Value>) -> Value {
        self.head[keyPath: member]
    }
}

/// Receives the body of a 200 response, and the part of other bodies that ``FetchRequest/errorBodyLimit`` allows.
///
/// An interrupted body is requested again: the sink receives the rest if it is available, or begins anew. The received
/// body is complete only when the fetch has returned with the status that the body was begun with: a response with
/// another status may follow an interrupted body.
///
/// Both methods are called on the fetcher's only thread, in order, and delay every other transfer while they run: they
/// must be short and must not block. Neither is called once ``Fetcher/fetch(_:into:)`` has returned or thrown.
public protocol FetchSink: AnyObject, Sendable {
    /// Called before the first byte of a 200, and of any other final response if error bodies are requested. If called
    /// again, the sink must discard everything that it has received.
    ///
    /// - Returns: Whether the body is wanted; `false` ends the fetch with ``FetchError/sinkFailed``.
    func begin(_ head: FetchResponseHead) -> Bool

    /// Receives the next bytes of the body.
    /// - Parameter bytes: Content-decoded, never empty, and valid only during the call.
    /// - Returns: Whether the bytes could be stored; `false` ends the fetch with ``FetchError/sinkFailed``.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension FetchSink {
    /// Accepts every body.
    public func begin(_ head: FetchResponseHead) -> Bool { true }
}
