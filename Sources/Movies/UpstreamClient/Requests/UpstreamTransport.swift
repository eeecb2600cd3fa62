package import MovieDomain

/// Sends requests to an upstream.
package protocol UpstreamTransport: Sendable {
    /// - Returns: The response, whatever its status.
    /// - Throws: ``UpstreamTransportFailure``; `CancellationError`, by when the connection is closed.
    func send(_ request: AuthenticatedRequest) async throws -> UpstreamResponse
}

/// Why there is no response.
package enum UpstreamTransportFailure: Error, Hashable, Sendable {
    /// The queue is full, for so long; nothing was sent.
    case busy(retryAfter: Duration)
    /// Requests are paused after `Retry-After` or failures, for so long; nothing was sent.
    case paused(retryAfter: Duration)
    /// A deadline passed.
    case tooSlow
    /// The response exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// The response's content coding is not supported, or damaged. The reason says which.
    case unreadable(reason: String)
    /// There was no connection, so nothing was sent. The reason is for logs, without secrets.
    case notSent(reason: String)
    /// The connection failed later. The reason is for logs, without secrets.
    case unreachable(reason: String)
}

/// A request with its credentials and secrets, which printing one does not show.
package struct AuthenticatedRequest: Sendable {
    package var method: UpstreamRequest.Method
    /// Absolute, with the secret parameters.
    package var url: String
    /// To be sent to this origin only.
    package var headers: [(name: String, value: String)]
    /// The body; nil for none.
    package var json: [UInt8]?
    /// The largest response that is accepted, in bytes.
    package var responseBytes: Int
    /// Whether the upstream counts requests: one that was answered is not retried.
    package var isCounted = false
}

extension AuthenticatedRequest: Redacted {
    /// The method and the URL without its query.
    package var description: String { "\(self.method.rawValue) \(self.url.prefix { $0 != "?" })" }
}

/// A response of an upstream.
package struct UpstreamResponse: Sendable, Hashable {
    package var status: Int
    /// The media type with its parameters, as sent.
    package var contentType: String?
    /// The entity tag with its quotes.
    package var etag: String?
    /// The directives, as sent.
    package var cacheControl: String?
    /// `Retry-After`; nil without one.
    package var retryAfter: Duration?
    /// At most as large as ``UpstreamClient/maxResponseBytes``.
    package var body: [UInt8] = []
}

/// What a response of an upstream means, whatever its status.
package enum ResponseClassification: Sendable {
    /// By its status: 200 is a result, all others are failures.
    case byStatus
    /// It may be wrong, such as an empty result in place of a refusal: a stored response is preferred, and it is cached for
    /// ``UpstreamLifetimes/uncertain`` only.
    case uncertain
    /// By its status, but fresh for no longer than this, and provisional: when it is stale, clients wait for its successor.
    case shortLived(Duration)
    /// The upstream says itself that it has no such thing: stored for ``UpstreamLifetimes/missing``, over a usable response only
    /// when it says so again after that time.
    case missing
    /// Never stored.
    case failure(SourceFailure)
}
