import HTTPSemantics
package import Hummingbird

/// Rejects request heads above ``HeadLimits``.
package struct HeadLimitMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try HeadLimits.check(request.head)
        return try await next(request, context)
    }
}

/// Rejects expectations that cannot be met, and gives each resource one path. The router ignores empty segments, so
/// that `//metrics` and `/metrics/` would be aliases of `/metrics`, unknown to a proxy that blocks `/metrics`. Paths in
/// other services' formats are the exception (``HTTPSemantics/RequestTarget/segments``).
package struct RequestHeadMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard Expectation(request.headers) != .unknown else {
            throw Problem(.expectationFailed, "Expect must be 100-continue; no other expectation is supported")
        }
        let target = context.target
        if request.method != .options || target.text != "*" {
            // HTTP/2 passes any target (RFC 9113, 8.3.1), and the router must parse the same path as this service.
            guard !target.path.isEmpty, target.path.utf8.elementsEqual(request.uri.path.utf8) else {
                throw Problem(
                    .malformedRequest, "the target must be a path that begins with '/', or a URL of http or https")
            }
        }
        guard target.segments.count <= 1 || target.segments.allSatisfy({ !$0.isEmpty }) else {
            throw HTTPError(.notFound)
        }
        return try await next(request, context)
    }
}
