package import HTTPTypes

/// How stale a response is, and why it was served (RFC 9111, 4.2.4).
public struct Staleness: Hashable, Sendable {
    /// Why a stale response was served.
    public enum Reason: Hashable, Sendable {
        /// The response is being revalidated in the background (RFC 5861).
        case revalidating
        /// A recent revalidation failed.
        case originFailed
        /// Overload prevented revalidation.
        case overloaded
    }

    /// Seconds since the response stopped being fresh; 0 for a response made of replaced bytes.
    public var seconds: Int64
    /// The reason for serving the stale response.
    public var reason: Reason

    /// - Parameter seconds: Seconds since the response stopped being fresh.
    public init(seconds: Int64, reason: Reason) {
        self.seconds = seconds
        self.reason = reason
    }

    package var detail: String {
        switch self.reason {
        case .revalidating: "stale-while-revalidate"
        case .originFailed: "stale-if-error"
        case .overloaded: "stale-while-overloaded"
        }
    }

    /// Parameters of `Cache-Status`; the `ttl` of a stale response is negative (RFC 9211, 2.5).
    package var cacheStatus: String { "ttl=\(-self.seconds); detail=\(self.detail)" }
}

extension HTTPFields {
    /// Sets `Age` and `Cache-Status` of a response composed of stale parts.
    ///
    /// - Parameter age: Seconds since the source last confirmed the oldest part.
    package mutating func mark(_ staleness: Staleness, age: Int64) {
        self[.age] = String(age)
        self[.cacheStatus] = "OneSheet; hit; \(staleness.cacheStatus)"
    }
}
