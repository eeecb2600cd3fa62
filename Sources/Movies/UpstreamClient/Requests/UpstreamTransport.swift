package import MovieDomain

/// Sends requests to an upstream.
package protocol UpstreamTransport: Sendable {
    /// - Returns: The response, whatever its status.
    /// - Throws: ``UpstreamTransportFailure``; `CancellationError` after the connection has been closed.
    func send(_ request: AuthenticatedRequest) async throws -> UpstreamResponse
}

/// A failure to get a response.
package enum UpstreamTransportFailure: Error, Hashable, Sendable {
    /// The queue is full for about this long; nothing was sent.
    case busy(retryAfter: Duration)
    /// Requests are paused for this long after `Retry-After` or failures; nothing was sent.
    case paused(retryAfter: Duration)
    case tooSlow
    case tooLarge(limit: Int)
    /// The response's content coding is unsupported or damaged, as the reason says.
    case unreadable(reason: String)
    /// No connection was established, so nothing was sent. The reason is for logs and contains no secrets.
    case notSent(reason: String)
    /// The connection failed later. The reason is for logs and contains no secrets.
    case unreachable(reason: String)
}

/// A request with its credentials and secrets. Printing it does not reveal them.
package struct AuthenticatedRequest: Sendable {
    package var method: UpstreamRequest.Method
    /// The absolute URL, including secret parameters.
    package var url: String
    /// Headers for this origin only.
    package var headers: [(name: String, value: String)]
    package var json: [UInt8]?
    package var responseBytes: Int
    /// Whether the upstream counts requests: a request that was answered is not retried.
    package var isCounted = false
}

extension AuthenticatedRequest: Redacted {
    /// Shows the method and the URL without its query.
    package var description: String { "\(self.method.rawValue) \(self.url.prefix { $0 != "?" })" }
}

/// A response of an upstream.
package struct UpstreamResponse: Sendable, Hashable {
    package var status: Int
    /// The media type with its parameters, as sent.
    package var contentType: String?
    /// The entity tag with its quotes.
    package var etag: String?
    package var cacheControl: String?
    /// The value of `Retry-After`, if any.
    package var retryAfter: Duration?
    /// The body, of at most ``UpstreamClient/maxResponseBytes``.
    package var body: [UInt8] = []
}

/// The meaning of an upstream's response, whatever its status.
package enum ResponseClassification: Sendable {
    /// Determined by the status: 200 is a result, all others are failures.
    case byStatus
    /// The response may be wrong, for example an empty result instead of a refusal: a stored response is preferred, and
    /// it is cached only for ``UpstreamLifetimes/uncertain``.
    case uncertain
    /// Determined by the status, but fresh for at most this long and provisional: once it is stale, clients wait for
    /// its successor.
    case shortLived(Duration)
    /// The upstream itself reports a missing resource: stored for ``UpstreamLifetimes/missing``; replaces a usable
    /// response only if reported again after that time.
    case missing
    /// A failure, which is never stored.
    case failure(SourceFailure)
}
