import HTTPSemantics
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Makes a whole response of what routes return or throw: problem+json for errors, and nothing of their cause; the
/// security header fields; no body for `HEAD`.
package struct ResponseMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// What can be done with which resource.
    private let methods: MethodTable

    package init(methods: MethodTable) {
        self.methods = methods
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await self.response(to: request, context: context, next: next)
        response.headers.addSecurityFields(status: response.status)
        // Hummingbird takes the body away for routes only, not for what is answered without one.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func response(
        to request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let problem: Problem
        do {
            return try await next(request, context)
        } catch is CancellationError {
            // The client has left; or the server is going down.
            guard context.client?.isGone != true else { throw ClientDisconnected() }
            problem = Problem(.overloaded, "the server is shutting down; try again", retryAfterSeconds: 1)
        } catch let error as ClientDisconnected {
            throw error
        } catch let error as HTTPParserError {
            throw error  // the body's: the connection says it, and ends
        } catch let error as Problem {
            problem = error
        } catch let error as any ProblemConvertible {
            problem = error.problem
        } catch let error as HTTPError where error.status == .notFound {
            return self.unrouted(request, context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        } catch {
            context.logger.error("Request failed", metadata: ["error.message": "\(error)"])
            problem = .unexpected
        }
        return problem.response(requestID: context.requestID)
    }

    private func unrouted(_ request: Request, _ context: Context) -> Response {
        let isOptions = request.method == .options
        if isOptions, context.target.text == "*" {
            return OptionsResponse.response(
                methods: OptionsResponse.methodsOfAll, forScripts: OptionsResponse.methodsOfAll)
        }
        guard let methods = self.methods.methods(of: context.target) else {
            return Problem(.notFound, "there is no resource at this path; posters are at /poster/{id}?w=368")
                .response(requestID: context.requestID)
        }
        if isOptions {
            return OptionsResponse.response(
                methods: methods, forScripts: self.methods.scriptMethods(of: context.target))
        }
        let allowed = methods + ", OPTIONS"
        return Problem(.methodNotAllowed, "\(request.method.rawValue) is not possible here; allowed: \(allowed)")
            .response(allow: allowed, requestID: context.requestID)
    }
}
