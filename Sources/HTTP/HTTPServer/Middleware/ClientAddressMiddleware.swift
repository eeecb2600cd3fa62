import Hummingbird

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
