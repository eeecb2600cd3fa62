import HTTPSemantics
import Hummingbird
package import NIOCore

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
