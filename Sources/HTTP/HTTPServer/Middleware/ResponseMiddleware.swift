import HTTPSemantics
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Turns everything that is thrown into an answer: problem+json, and nothing of the cause.
package struct ProblemMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// What can be done with which resource.
    let methods: MethodTable

    package init(methods: MethodTable) {
        self.methods = methods
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await self.answer(request, context: context, next: next)
        // Hummingbird takes the body away for routes only, not for what is answered without one.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch is CancellationError {
            return try self.abandoned(context)
        } catch let error as ClientDisconnected {
            throw error
        } catch let error as HTTPParserError {
            throw error  // the body's: the connection says it, and ends
        } catch let problem as Problem {
            return problem.response(requestID: context.requestID)
        } catch let error as any ProblemConvertible {
            return error.problem.response(requestID: context.requestID)
        } catch let error as HTTPError where error.status == .notFound {
            return self.unrouted(request, context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        } catch {
            context.logger.error("Request failed", metadata: ["error.message": "\(error)"])
            return Problem(.internalError, "something went wrong here; the log has the cause")
                .response(requestID: context.requestID)
        }
    }

    private func unrouted(_ request: Request, _ context: Context) -> Response {
        let isOptions = request.method == .options
        if isOptions, request.uri.string == "*" {
            return OptionsResponse.response(
                methods: OptionsResponse.methodsOfAll, forScripts: OptionsResponse.methodsOfAll)
        }
        let target = RequestTarget(request.uri.string)
        guard let methods = self.methods.methods(of: target) else {
            return Problem(.notFound, "there is no resource at this path; posters are at /poster/{id}?w=368")
                .response(requestID: context.requestID)
        }
        if isOptions {
            return OptionsResponse.response(methods: methods, forScripts: self.methods.scriptMethods(of: target))
        }
        let allowed = methods + ", OPTIONS"
        return Problem(.methodNotAllowed, "\(request.method.rawValue) is not possible here; allowed: \(allowed)")
            .response(allow: allowed, requestID: context.requestID)
    }

    /// The client has left; or the server is going down.
    private func abandoned(_ context: Context) throws -> Response {
        guard context.client?.isGone != true else { throw ClientDisconnected() }
        return Problem(.overloaded, "the server is shutting down; try again", retryAfterSeconds: 1)
            .response(requestID: context.requestID)
    }
}
