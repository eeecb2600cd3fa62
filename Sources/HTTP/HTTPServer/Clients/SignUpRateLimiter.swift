import Flights
package import HTTPSemantics
import Synchronization

/// Limits new device tokens and sign-in requests, per client and in total: each is stored, some at a source too, and
/// beyond the limits of the store others' are deleted. Safe from any thread.
package final class SignUpRateLimiter: Sendable {
    /// Per client: the burst serves a household, or a school behind one address.
    package static let clientLimit = ClientRateLimiter.Limit(oneInSeconds: 10, burst: 10)
    /// In total: fewer than are stored in the hour that a sign-in request lasts, so that none is deleted early.
    package static let totalLimit = ClientRateLimiter.Limit(rate: 2, burst: 200)

    private let clients: ClientRateLimiter
    private let now: @Sendable () -> UInt64
    private let total = Mutex(RateLimiter(SignUpRateLimiter.totalLimit.rateLimit))

    /// - Parameter now: In nanoseconds, since any moment; never back.
    package init(now: @escaping @Sendable () -> UInt64) {
        self.clients = ClientRateLimiter(Self.clientLimit, now: now)
        self.now = now
    }

    /// Charges a new token or sign-in request, if there may be one.
    ///
    /// - Throws: ``Problem`` of the kind `too-many-requests`.
    package func admit(_ client: ClientAddress) throws(Problem) {
        if let wait = self.clients.refusal(of: client) {
            throw Self.problem("your address asks for more new tokens than one gets", wait)
        }
        let now = self.now()
        if case .refused(let wait) = self.total.withLock({ $0.charge(at: now) }) {
            self.clients.refund(client)
            throw Self.problem("more newcomers ask for tokens than get one", .nanoseconds(Int64(wait)))
        }
    }

    private static func problem(_ cause: String, _ wait: Duration) -> Problem {
        let seconds = Int(max(1, (wait / .seconds(1)).rounded(.up)))
        return Problem(
            .tooManyRequests, "\(cause); one that you have can be used again; try again in \(seconds) s",
            retryAfterSeconds: seconds)
    }
}
