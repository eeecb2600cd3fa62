package import HTTPSemantics
import HTTPTypes
package import Hummingbird
import Logging
import NIOHTTP1

/// Problems as pages, for people who follow links and send forms.
package protocol ProblemPages: Sendable {
    /// - Parameters:
    ///   - cause: The error that the problem is of; nil for one that was thrown as it is.
    ///   - requestID: By which the request is found in logs.
    /// - Returns: nil for the targets of pictures and of resources for programs.
    func page(
        for problem: Problem, causedBy cause: (any ProblemConvertible)?, _ request: Request, requestID: String
    ) -> Response?
}

/// Makes a whole response of what routes return or throw: problem+json for errors, or a page for browsers, and nothing of
/// their cause; the security header fields; no body for `HEAD`.
package struct ResponseMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    /// What can be done with which resource.
    private let methods: MethodTable
    /// nil for no pages.
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
        // Hummingbird takes the body away for routes only, not for what is answered without one.
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

    /// A page where the client is a browser that shows one, with the fields of the problem that are not about its body.
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
            .methodNotAllowed, "\(request.method.rawValue) is not possible here; allowed: \(allowed)")
        return self.response(for: problem, allow: allowed, request, context)
    }
}

extension Request {
    /// Whether the client shows the response as a page: browsers name `text/html` when they follow a link or send a form,
    /// and programs that accept anything do not.
    fileprivate var navigates: Bool {
        guard [.get, .head, .post].contains(self.method), let accepted = self.headers.combined(.accept) else {
            return false
        }
        return accepted.split(separator: ",").contains { range in
            let parts = range.split(separator: ";").map { $0.trimmingBlanks.lowercased() }
            return parts.first == "text/html"
                && !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains(#/[1-9]/#) }
        }
    }
}
