import HTTPSemantics
public import Hummingbird

/// Lets only those in who send the token of those who run the service.
public struct AdminMiddleware<Context: RequestContext>: RouterMiddleware {
    private let token: AdminToken

    /// In front of routes that change something, or tell what is not for everybody.
    public init(_ token: AdminToken) {
        self.token = token
    }

    /// Part of `RouterMiddleware`.
    ///
    /// - Throws: ``Problem`` of the kind `unauthorized`, and what the routes throw.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard self.token.permits(request.headers[.authorization]) else {
            throw Problem(.unauthorized, "this needs the header 'Authorization: Bearer', and the server's admin token")
        }
        return try await next(request, context)
    }
}
