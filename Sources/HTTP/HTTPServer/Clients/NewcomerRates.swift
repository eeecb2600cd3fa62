package import HTTPSemantics
import Synchronization

/// How many tokens of devices and wishes to sign in are made for whoever asks: each is kept here, some at a source too, and when there are
/// too many of them others' have to go.
///
/// Safe from any thread.
public final class NewcomerRates: Sendable {
    /// Of one client: a household, or a school behind one address, begins at once; a flood does not go on.
    public static let clientLimit = ClientRates.Limit(oneInSeconds: 10, burst: 10)
    /// Of all together: in the hour that a wish lasts there are fewer than are kept, so that nobody's is pushed out.
    public static let totalLimit = ClientRates.Limit(rate: 2, burst: 200)

    private let clients: ClientRates
    private let now: @Sendable () -> UInt64
    /// When all together will have paid, as ``ClientRates`` counts it.
    private let paidTime = Mutex<UInt64>(0)

    /// - Parameter now: In nanoseconds, since any moment; never back.
    public init(now: @escaping @Sendable () -> UInt64) {
        self.clients = ClientRates(Self.clientLimit, now: now)
        self.now = now
    }

    /// Counts a newcomer, if there may be one.
    ///
    /// - Throws: ``Problem`` of the kind `too-many-requests`.
    package func admit(_ client: ClientAddress) throws(Problem) {
        if let wait = self.clients.refusal(of: client) {
            throw Self.problem("your address asks for more new tokens than one gets", wait)
        }
        if let wait = self.totalWait() {
            self.clients.takeBack(from: client)
            throw Self.problem("more newcomers ask for tokens than get one", wait)
        }
    }

    private func totalWait() -> Duration? {
        let (now, interval) = (self.now(), Self.totalLimit.interval)
        let credit = interval * UInt64(Self.totalLimit.burst)
        return self.paidTime.withLock { paidTime in
            let owed = max(paidTime, now) - now
            guard owed + interval <= credit else { return .nanoseconds(Int64(owed + interval - credit)) }
            paidTime = now + owed + interval
            return nil
        }
    }

    private static func problem(_ cause: String, _ wait: Duration) -> Problem {
        let seconds = Int(max(1, (wait / .seconds(1)).rounded(.up)))
        return Problem(
            .tooManyRequests, "\(cause); one that you have can be used again; try again in \(seconds) s",
            retryAfterSeconds: seconds)
    }
}
