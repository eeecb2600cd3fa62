import HTTPSemantics
import Hummingbird
package import NIOCore

/// Finds out who made a request, for all who come after.
package struct ClientAddressMiddleware: RouterMiddleware {
    typealias Context = PosterRequestContext
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

/// Refuses those who ask for more than a client may.
package struct ClientRateMiddleware: RouterMiddleware {
    typealias Context = PosterRequestContext

    let rates: ClientRateLimiter

    package init(rates: ClientRateLimiter) {
        self.rates = rates
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Those who watch the service must see it when it is busiest.
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

/// Lets requests of connections that have no place yet wait for one, a while. Those that watch the service are answered at
/// once: that is what connections above the limit are accepted for.
package struct ConnectionPlaceMiddleware: RouterMiddleware {
    typealias Context = PosterRequestContext

    /// How long a request waits: longer than slow readers are observed before they are ended.
    static let longestWait = TimeAmount.seconds(10)

    var longestWait = ConnectionPlaceMiddleware.longestWait

    package init(longestWait: TimeAmount = ConnectionPlaceMiddleware.longestWait) {
        self.longestWait = longestWait
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let client = context.client, let place = client.place, !place.isTaken,
            !OperationsPaths.all.contains(request.uri.path)
        else { return try await next(request, context) }
        let limit = self.longestWait
        let hasPlace = try await client.whilePresent { try await place.wait(atMost: limit) }
        guard hasPlace else {
            throw Problem(
                .overloaded, "all connections of this server are in use; try again", retryAfterSeconds: 1)
        }
        return try await next(request, context)
    }
}

/// The resources of those that watch the service: reached without a rate and a place, also when the service is busiest.
public enum OperationsPaths {
    /// Liveness: the process responds.
    public static let health = "/healthz"
    /// Readiness: new clients can be served.
    public static let readiness = "/readyz"
    /// Metrics in the Prometheus text format.
    public static let metrics = "/metrics"

    /// All of them.
    public static let all: Set<String> = [health, readiness, metrics]
}
