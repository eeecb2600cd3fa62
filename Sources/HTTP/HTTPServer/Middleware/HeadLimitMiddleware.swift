import Hummingbird

/// Refuses heads that are larger than anybody needs, before anything reads in them.
package struct HeadLimitMiddleware: RouterMiddleware {
    package typealias Context = PosterRequestContext

    package init() {}

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try HeadLimits.check(request.head)
        return try await next(request, context)
    }
}
