import HTTPSemantics
import Hummingbird

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
