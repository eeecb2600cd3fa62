import HTTPSemantics
import Hummingbird

/// Gives each resource one path. The router leaves empty segments out, so that `//metrics` and `/metrics/` would be
/// `/metrics` by other names, which a proxy that closes `/metrics` does not know.
package struct PathValidationMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    package init() {}

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        if request.method != .options || request.uri.string != "*" {
            // HTTP/2 lets anything through (RFC 9113, 8.3.1), and the router must read no other path than we do.
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

/// Rejects expectations that cannot be met.
package struct ExpectationMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    package init() {}

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard Expectation(request.headers) != .unknown else {
            throw Problem(.expectationFailed, "Expect must be 100-continue; no other expectation can be met")
        }
        return try await next(request, context)
    }
}

/// Rejects request heads above ``HeadLimits``, before anything parses them.
package struct HeadLimitMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    package init() {}

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try HeadLimits.check(request.head)
        return try await next(request, context)
    }
}
