import Flights
package import HTTPSemantics
import Synchronization

/// Limits new device tokens and sign-in requests, per client and in total: each is stored, some at a metadata source
/// too, and beyond the store's limits older ones are deleted. Thread-safe.
package final class SignUpRateLimiter: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Limit per client. The default serves the thousands of subscribers that a carrier's NAT puts behind one
        /// address, on the day on which an app is launched; one address alone cannot fill the 10,000 places of sign-in
        /// requests within the hour that they last.
        package var client = ClientRateLimiter.Limit(rate: 60, inSeconds: 60, burst: 100)
        /// Limit in total. At the default, a flood from many addresses leaves a sign-in request seven minutes before it
        /// is deleted for newer ones.
        package var total = ClientRateLimiter.Limit(rate: 1200, inSeconds: 60, burst: 1000)

        package init() {}
    }

    private let clients: ClientRateLimiter
    private let now: @Sendable () -> UInt64
    private let total: Mutex<RateLimiter>

    /// - Parameter now: Monotonic time in nanoseconds.
    package init(_ limits: Limits = Limits(), now: @escaping @Sendable () -> UInt64) {
        self.clients = ClientRateLimiter(limits.client, now: now)
        self.total = Mutex(RateLimiter(limits.total.rateLimit))
        self.now = now
    }

    /// Charges a new token or sign-in request.
    ///
    /// - Throws: ``Problem`` of the kind `too-many-requests` if a limit is exceeded.
    package func admit(_ client: ClientAddress) throws(Problem) {
        if let wait = self.clients.refusal(of: client) {
            throw Self.problem("your address has requested too many new tokens", wait)
        }
        let now = self.now()
        if case .refused(let wait) = self.total.withLock({ $0.charge(at: now) }) {
            self.clients.refund(client)
            throw Self.problem("the server has issued too many new tokens", .nanoseconds(Int64(wait)))
        }
    }

    private static func problem(_ cause: String, _ wait: Duration) -> Problem {
        let seconds = Int(max(1, (wait / .seconds(1)).rounded(.up)))
        return Problem(
            .tooManyRequests, "\(cause); reuse an existing token, or try again in \(seconds) s",
            retryAfterSeconds: seconds)
    }
}
