package import HTTPSemantics
import HTTPTypes
package import Hummingbird
import Logging
import NIOHTTP1

/// Renders problems as pages, for people who follow links and submit forms.
package protocol ProblemPages: Sendable {
    /// - Parameters:
    ///   - cause: The error that was converted to the problem; `nil` if the problem itself was thrown.
    ///   - requestID: Identifies the request in logs.
    /// - Returns: `nil` for the targets of pictures and of resources for programs.
    func page(
        for problem: Problem, causedBy cause: (any ProblemConvertible)?, _ request: Request, requestID: String
    ) -> Response?
}

/// Completes the responses of routes: converts errors to problem+json, or to a page for browsers, without revealing the
/// cause; adds the security header fields; removes the body for `HEAD`.
package struct ResponseMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    private let methods: MethodTable
    /// `nil` disables problem pages.
    private let pages: (any ProblemPages)?

    package init(methods: MethodTable, pages: (any ProblemPages)? = nil) {
        self.methods = methods
        self.pages = pages
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await self.response(to: request, context: context, next: next)
        response.headers.addSecurityFields(status: response.status)
        // Hummingbird removes the body for routes only, not for responses without a route.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func response(
        to request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let problem: Problem
        var cause: (any ProblemConvertible)?
        do {
            return try await next(request, context)
        } catch is CancellationError {
            // The client has left, or the server is shutting down.
            guard context.client?.isGone != true else { throw ClientDisconnected() }
            problem = Problem(.overloaded, "the server is shutting down; try again", retryAfterSeconds: 1)
        } catch let error as ClientDisconnected {
            throw error
        } catch let error as HTTPParserError {
            throw error  // malformed body: the connection answers, and closes
        } catch let error as Problem {
            problem = error
        } catch let error as any ProblemConvertible {
            problem = error.problem
            cause = error
        } catch let error as HTTPError where error.status == .notFound {
            return self.unrouted(request, context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        } catch {
            context.logger.error("Request failed", metadata: ["error.message": "\(error)"])
            problem = .unexpected
        }
        return self.response(for: problem, causedBy: cause, request, context)
    }

    /// A page if the client is a browser that shows one, with the problem's fields that do not describe its body.
    private func response(
        for problem: Problem, causedBy cause: (any ProblemConvertible)? = nil, allow: String? = nil,
        _ request: Request, _ context: Context
    ) -> Response {
        guard let pages = self.pages, request.navigates,
            var page = pages.page(
                for: problem, causedBy: cause, request, requestID: context.requestID.description)
        else { return problem.response(allow: allow, requestID: context.requestID) }
        let fields = problem.fields(allow: allow, requestID: context.requestID)
        page.status = HTTPResponse.Status(code: problem.kind.status)
        for name in [HTTPField.Name.cacheControl, .allow, .contentRange, .requestID, .retryAfter] {
            if let value = fields[name] { page.headers[name] = value }
        }
        return page
    }

    private func unrouted(_ request: Request, _ context: Context) -> Response {
        let isOptions = request.method == .options
        if isOptions, context.target.text == "*" {
            return OptionsResponse.response(
                methods: OptionsResponse.methodsOfAll, forScripts: OptionsResponse.methodsOfAll)
        }
        guard let methods = self.methods.methods(of: context.target) else {
            let problem = Problem(.notFound, "there is no resource at this path; posters are at /poster/{id}?w=368")
            return self.response(for: problem, request, context)
        }
        if isOptions {
            return OptionsResponse.response(
                methods: methods, forScripts: self.methods.scriptMethods(of: context.target))
        }
        let allowed = methods + ", OPTIONS"
        let problem = Problem(
            .methodNotAllowed, "\(request.method.rawValue) is not allowed for this resource; allowed: \(allowed)")
        return self.response(for: problem, allow: allowed, request, context)
    }
}

extension Request {
    /// Whether the client shows the response as a page: browsers name `text/html` when they follow a link or submit a
    /// form; programs that accept anything do not.
    fileprivate var navigates: Bool {
        guard [.get, .head, .post].contains(self.method), let accepted = self.headers.combined(.accept) else {
            return false
        }
        return FieldSyntax.parts(of: accepted, at: ",").contains { range in
            let parts = range.split(separator: ";").map { $0.trimmingBlanks.lowercased() }
            return parts.first == "text/html"
                && !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains(#/[1-9]/#) }
        }
    }
}
