import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP
import NIOCore

/// The API of The Movie Database, version 3, below `/compat/tmdb/3`.
///
/// Without a key, the service responds with the domain's data; with one, it forwards The Movie Database's responses
/// unchanged. Accounts, lists and ratings of users always are the domain's.
struct TMDBCompatibility: Sendable {
    /// The path of the approval page, as on The Movie Database's website.
    private static let approvalPath = "/compat/tmdb/authenticate/:requestToken"
    private static let retryAfter = HTTPField.Name.retryAfter

    private let context: CompatibilityContext
    private let documents: TMDBDocuments
    private let personal: TMDBPersonalController

    /// - Throws: An error that describes the missing or invalid file of ``TMDBTimeZones``.
    init(_ context: CompatibilityContext) throws {
        let numbers = TMDBNumberTable(context.services)
        self.context = context
        self.documents = TMDBDocuments(context, numbers: numbers, timeZones: try TMDBTimeZones())
        self.personal = TMDBPersonalController(
            useCases: context.useCases, upstream: context.upstreams.tmdb, numbers: numbers)
    }

    /// Registers one handler for all paths, so that all errors have The Movie Database's format.
    func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath(Self.approvalPath), use: self.approve)
        UnknownPaths.register(
            of: .tmdb, on: router, methods: [.get, .post, .put, .patch, .delete, .options], respond: self.respond)
    }

    @Sendable
    private func respond(_ request: Request, context: ServerRequestContext) async throws -> Response {
        guard request.method != .options else { return Self.preflight() }
        do {
            return try await self.answer(request, context)
        } catch {
            guard let fault = TMDBFault(error) else { throw error }
            if let failure = error as? SourceFailure {
                context.logger.notice(
                    "A request to the TMDB-compatible API failed",
                    metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            }
            return try self.response(fault, to: request)
        }
    }

    private func answer(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let parsed = try TMDBRequest(context.target)
        guard self.context.keys.accepts(Self.key(of: request, parsed), of: .tmdb) else { throw TMDBFault(.invalidKey) }
        if let resource = try TMDBPersonalResource(parsed.path) {
            guard resource.methods.contains(request.method) else { throw TMDBFault(.methodNotSupported) }
            let answer = try await self.personal.answer(resource, parsed, request, context)
            return try self.response(answer, to: request)
        }
        let resource = try TMDBResource(parsed.path)
        guard request.method == .get || request.method == .head else { throw TMDBFault(.methodNotSupported) }
        let imageBase = self.context.absolute(
            self.context.useCases.publicURL.address(of: TMDBConfiguration.imagePath), request, context)
        var response = try await self.documents.response(
            resource, for: parsed.shared, imageBase: imageBase, generation: self.context.pictures.generation, context)
        response.extra[.vary] = self.context.variance(
            of: .tmdb, byHost: resource == .configuration, keyFields: [.authorization])
        guard let states = try await self.personal.appendedStates(to: resource, parsed, context) else {
            return try response.response(to: request)
        }
        let bytes = Array(response.bytes.readableBytesView)
        let name = TMDBResource.personalPart
        return try self.response(
            TMDBAnswer(bytes: JSONSplicing.adding(name, states.bytes, to: bytes) ?? bytes), to: request)
    }

    /// Redirects to the approval page, for clients with a fixed path at The Movie Database.
    @Sendable
    private func approve(_ request: Request, context: ServerRequestContext) async throws -> Response {
        guard let token = context.target.segments.last.flatMap(PercentEncoding.decode),
            (1...SignIn.tokenLengthLimit).contains(token.utf8.count)
        else { return try self.response(TMDBFault(.invalidRequestToken), to: request) }
        let parameters = try? context.target.parameters(plusIsSpace: true)
        let address = parameters?.last { $0.name == "redirect_to" }?.value
        let url = self.personal.signIn.approvalURL(of: token, returningTo: address)
        let fields: HTTPFields = [
            .location: url, .cacheControl: PrivateResponse.cacheControl, .contentTypeOptions: "nosniff",
            .referrerPolicy: "no-referrer",
        ]
        return Response(status: .seeOther, headers: fields)
    }

    /// A key of version 3, or a read access token of version 4.
    private static func key(of request: Request, _ parsed: TMDBRequest) -> String? {
        if let key = parsed["api_key"] { return key }
        let scheme = "bearer "
        guard let value = request.headers[.authorization], value.lowercased().hasPrefix(scheme) else { return nil }
        return String(value.dropFirst(scheme.count))
    }
}

// MARK: Responses

extension TMDBCompatibility {
    private func response(_ answer: TMDBAnswer, to request: Request) throws -> Response {
        var response = EncodedResponse.json(bytes: answer.bytes, caching: .none)
        response.extra = answer.fields
        return try response.response(to: request, status: HTTPResponse.Status(code: answer.status))
    }

    private func response(_ fault: TMDBFault, to request: Request) throws -> Response {
        var answer = TMDBAnswer(status: fault.status, bytes: fault.bytes)
        answer.fields[Self.retryAfter] = fault.retryAfterSeconds.map(String.init)
        if fault.status == 401 { answer.fields[.wwwAuthenticate] = "Bearer" }
        return try self.response(answer, to: request)
    }

    /// The response to a CORS preflight request (Fetch).
    private static func preflight() -> Response {
        let fields: HTTPFields = [
            .allow: "GET, HEAD, POST, DELETE, OPTIONS", .cacheControl: "no-store", .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: "GET, HEAD, POST, DELETE",
            .accessControlAllowHeaders: "Accept, Authorization, Content-Type",
        ]
        var response = Response(status: .noContent, headers: fields)
        response.headers[.contentLength] = nil  // a 204 has none (RFC 9110, 8.6)
        return response
    }
}
