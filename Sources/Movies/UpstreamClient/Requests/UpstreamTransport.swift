/// Carries requests to an upstream and brings what it says.
public protocol UpstreamTransport: Sendable {
    /// - Returns: Whatever was said, whatever its status.
    /// - Throws: ``UpstreamTransportFailure``; `CancellationError`, by when the connection is closed.
    func send(_ call: UpstreamCall) async throws -> UpstreamAnswer
}

/// Why an upstream said nothing.
public enum UpstreamTransportFailure: Error, Hashable, Sendable {
    /// There is no room for it, for so long; nothing was sent.
    case busy(retryAfter: Duration)
    /// It wants to be left alone, or fails and is left alone, for so long; nothing was sent.
    case paused(retryAfter: Duration)
    case tooSlow
    /// More was said than is taken, in bytes.
    case tooLarge(limit: Int)
    /// It was not reached, so that nothing was sent. For logs; without what is secret.
    case notSent(reason: String)
    /// It was not heard of. For logs; without what is secret.
    case unreachable(reason: String)
}

/// A request with everything in it that is secret.
///
/// Printing one does not show that.
public struct UpstreamCall: Sendable {
    /// Of HTTP.
    public var method: UpstreamRequest.Method
    /// Absolute, with the secret parameters.
    public var url: String
    /// To be sent to this origin only.
    public var headers: [(name: String, value: String)]
    /// Sent along; nil for nothing.
    public var json: [UInt8]?
    /// The largest answer that is taken, in bytes.
    public var answerBytes: Int
    /// Whether the upstream counts requests, so that one that was answered is not to be sent again.
    public var isCounted = false
}

extension UpstreamCall: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL without its query.
    public var description: String { "\(self.method.rawValue) \(self.url.prefix { $0 != "?" })" }
    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members: `dump` and the like would show them.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
