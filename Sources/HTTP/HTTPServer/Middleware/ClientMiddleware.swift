import HTTPSemantics
import Hummingbird
package import NIOCore

/// Sets the client's address in the context, from the peer and the headers of trusted proxies.
package struct ClientAddressMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext
    let proxies: TrustedProxies

    package init(proxies: TrustedProxies) {
        self.proxies = proxies
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.clientAddress = self.proxies.client(behind: context.clientAddress, request.headers)
        return try await next(request, context)
    }
}

/// Rejects requests of clients above their rate with 429.
package struct ClientRateMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    let rates: ClientRateLimiter

    package init(rates: ClientRateLimiter) {
        self.rates = rates
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Monitoring must work when the service is busiest.
        if !OperationsPaths.all.contains(request.uri.path),
            let wait = self.rates.refusal(of: context.clientAddress)
        {
            throw Problem(tooMany: self.rates.limit, wait: wait)
        }
        return try await next(request, context)
    }
}

extension Problem {
    fileprivate init(tooMany limit: ClientRateLimiter.Limit, wait: Duration) {
        let seconds = Int(max(1, (wait / .seconds(1)).rounded(.up)))
        self.init(
            .tooManyRequests,
            "your address sends more requests than are allowed: \(limit.rate) a second, and \(limit.burst) at once after "
                + "a rest; try again in \(seconds) s",
            retryAfterSeconds: seconds)
    }
}

/// Lets requests of connections without a permit wait for one. Requests to ``OperationsPaths`` are answered at
/// once: that is what connections above the limit are accepted for.
package struct ConnectionPermitMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// How long a request waits: longer than slow readers are observed before they are ended.
    static let longestWait = TimeAmount.seconds(10)

    var longestWait = ConnectionPermitMiddleware.longestWait

    package init(longestWait: TimeAmount = ConnectionPermitMiddleware.longestWait) {
        self.longestWait = longestWait
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let client = context.client, let permit = client.permit, !permit.isTaken,
            !OperationsPaths.all.contains(request.uri.path)
        else { return try await next(request, context) }
        let limit = self.longestWait
        let hasPermit = try await client.whilePresent { try await permit.wait(atMost: limit) }
        guard hasPermit else {
            throw Problem(
                .overloaded, "all connections of this server are in use; try again", retryAfterSeconds: 1)
        }
        return try await next(request, context)
    }
}

/// The paths of monitoring: served without a rate limit and a permit, also when the service is busiest.
package enum OperationsPaths {
    /// Liveness: the process responds.
    package static let health = "/healthz"
    /// Readiness: new clients can be served.
    package static let readiness = "/readyz"
    /// Metrics in the Prometheus text format.
    package static let metrics = "/metrics"

    /// All of them.
    package static let all: Set<String> = [health, readiness, metrics]
}
