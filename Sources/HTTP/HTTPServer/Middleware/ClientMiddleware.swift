import HTTPSemantics
import Hummingbird
package import NIOCore

/// Makes requests of connections without a permit wait for one, and rejects requests of clients above their rate with
/// 429. Requests to ``OperationsPaths`` pass: connections above the limit are accepted for them, and monitoring must
/// work when the service is busiest.
package struct ClientMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// How long a request waits for a permit: longer than slow readers are observed before they are closed.
    package static let longestWait = TimeAmount.seconds(10)

    private let rates: ClientRateLimiter?
    private let longestWait: TimeAmount

    package init(rates: ClientRateLimiter? = nil, longestWait: TimeAmount = ClientMiddleware.longestWait) {
        self.rates = rates
        self.longestWait = longestWait
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if !OperationsPaths.all.contains(request.uri.path) {
            if let client = context.client, let permit = client.permit, !permit.isTaken {
                try await self.wait(for: permit, client)
            }
            // The fast path has already charged the requests that it has parsed.
            if context.fastPathMiss == nil, let rates, let wait = rates.refusal(of: context.clientAddress) {
                throw Problem(tooMany: rates.limit, wait: wait)
            }
        }
        return try await next(request, context)
    }

    private func wait(for permit: ConnectionPermit, _ client: ClientConnectionState) async throws {
        let limit = self.longestWait
        guard try await client.whilePresent({ try await permit.wait(atMost: limit) }) else {
            throw Problem(
                .overloaded, "all connections of this server are in use; try again", retryAfterSeconds: 1)
        }
    }
}

extension Problem {
    fileprivate init(tooMany limit: ClientRateLimiter.Limit, wait: Duration) {
        let seconds = Int(max(1, (wait / .seconds(1)).rounded(.up)))
        self.init(
            .tooManyRequests,
            "your address sends more requests than are allowed: \(limit.rate) a second, and \(limit.burst) at once after "
                + "a pause; try again in \(seconds) s",
            retryAfterSeconds: seconds)
    }
}

/// Paths for monitoring: served without rate limit and permit, also when the service is busiest.
package enum OperationsPaths {
    package static let health = "/healthz"
    package static let readiness = "/readyz"
    package static let metrics = "/metrics"

    package static let all: Set<String> = [health, readiness, metrics]
}
