package import HTTPTypes

/// How stale a response is, and why it was served (RFC 9111, 4.2.4).
public struct Staleness: Hashable, Sendable {
    /// Why a stale response was served.
    public enum Reason: Hashable, Sendable {
        /// It is being revalidated in the background (RFC 5861).
        case revalidating
        /// Its revalidation failed lately.
        case originFailed
        /// Overload prevented a current one.
        case overloaded
    }

    /// Since it was fresh; 0 for a response made of replaced bytes.
    public var seconds: Int64
    /// Why.
    public var reason: Reason

    /// - Parameter seconds: Since it was fresh.
    public init(seconds: Int64, reason: Reason) {
        self.seconds = seconds
        self.reason = reason
    }

    /// The parameter `detail` of `Cache-Status`.
    package var detail: String {
        switch self.reason {
        case .revalidating: "stale-while-revalidate"
        case .originFailed: "stale-if-error"
        case .overloaded: "stale-while-overloaded"
        }
    }

    /// Parameters of `Cache-Status`: the `ttl` of a stale response is negative (RFC 9211, 2.5).
    package var cacheStatus: String { "ttl=\(-self.seconds); detail=\(self.detail)" }
}

extension HTTPFields {
    /// Sets `Age` and `Cache-Status` of a response that is made of stale parts.
    ///
    /// - Parameter age: Since the source last confirmed the oldest part, in seconds.
    package mutating func mark(_ staleness: Staleness, age: Int64) {
        self[.age] = String(age)
        self[.cacheStatus] = "OneSheet; hit; \(staleness.cacheStatus)"
    }
}
