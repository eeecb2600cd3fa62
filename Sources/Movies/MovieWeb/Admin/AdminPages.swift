import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieHTTP

/// `/admin`: the operator's page with its forms, and `/admin/sign-in`. Registered only with an admin token.
struct AdminPages: Sendable {
    private static let (path, signInPath) = ("/admin", "/admin/sign-in")
    /// Maximum length of a form, in bytes: the ids of 1000 posters.
    private static let formLimit = 64 << 10
    private static let widthLimit = 16
    /// Wrong tokens per client: tokens may be short, and the rate of requests is not limited by default.
    static let failureLimit = ClientRateLimiter.Limit(rate: 1, inSeconds: 60, burst: 10)

    let site: Website
    let session: AdminSession
    let administration: any SiteAdministration
    /// Limits wrong tokens.
    let failures: ClientRateLimiter

    func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath(Self.path)) { request, context in
            guard let value = self.sessionValue(of: request, context) else {
                return FormGate.redirection(to: self.signIn(request))
            }
            let page = try await self.page(self.parsed(request, context), value)
            return try self.response(page, request, context)
        }
        router.get(RouterPath(Self.signInPath)) { request, context in
            let parsed = try self.parsed(request, context)
            return try self.response(self.signInPage(parsed, isWrong: false), request, context)
        }
        router.post(RouterPath(Self.signInPath)) { request, context in
            try self.checkSite(of: request)
            let body = try await FormBody(of: request, known: ["secret"])
            guard let value = try self.begin(with: body["secret"] ?? "", context) else {
                var page = self.signInPage(try self.parsed(request, context), isWrong: true)
                page.status = .forbidden
                return try self.response(page, request, context)
            }
            let cookie = self.cookie(context).setting(value, for: AdminSession.seconds)
            return FormGate.redirection(to: self.home(request), cookies: [cookie])
        }
        self.form("sign-out", on: router) { _, request, context in
            FormGate.redirection(to: self.signIn(request), cookies: [self.cookie(context).clearing])
        }
        self.form("purge", fields: ["ids"], on: router) { body, request, context in
            try await self.outcome(of: request, context) { try await self.administration.purge(Self.ids(body)) }
        }
        self.form("warm", fields: ["ids", "widths"], on: router) { body, request, context in
            try await self.outcome(of: request, context) {
                try await self.administration.warm(Self.ids(body), widths: try Self.widths(body))
            }
        }
    }

    // MARK: Forms

    /// Registers a form of the page: it needs the session, its token, and a page of this site.
    private func form(
        _ name: String, fields: Set<String> = [], on router: Router<ServerRequestContext>,
        _ answer: @escaping @Sendable (FormBody, Request, ServerRequestContext) async throws -> Response
    ) {
        router.post(RouterPath("\(Self.path)/\(name)")) { request, context in
            try self.checkSite(of: request)
            let body = try await FormBody(
                of: request, known: fields.union(["token"]), lengthLimit: Self.formLimit)
            guard let value = self.sessionValue(of: request, context) else {
                return FormGate.redirection(to: self.signIn(request))
            }
            guard self.session.isFormToken(body["token"], of: value) else {
                throw Problem(.crossSite, "the form belongs to another session; go back and send it again")
            }
            return try await answer(body, request, context)
        }
    }

    /// - Throws: ``Problem`` of the kind `cross-site`.
    private func checkSite(of request: Request) throws(Problem) {
        try self.site.useCases.authenticator.site.checkForm(request, needsOrigin: true)
    }

    /// The page with the outcome of a form. A change is not cancelled when its client disconnects.
    private func outcome(
        of request: Request, _ context: ServerRequestContext, _ change: () async throws -> String
    ) async throws -> Response {
        var done = AdminModel.Done()
        do {
            done.text = try await change()
        } catch let problem as Problem {
            (done.text, done.isAlarm) = (problem.detail, true)
        }
        guard let value = self.sessionValue(of: request, context) else {
            return FormGate.redirection(to: self.signIn(request))
        }
        var page = try await self.page(self.parsed(request, context), value, done)
        if done.isAlarm { page.status = .unprocessableContent }
        return try self.response(page, request, context)
    }

    /// One id a line.
    private static func ids(_ body: FormBody) -> [String] {
        (body["ids"] ?? "").split(whereSeparator: \.isNewline).compactMap { line in
            let bytes = SecretFile.trimmed(Array(line.utf8))
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    /// - Throws: ``Problem`` of the kind `invalid-body`.
    private static func widths(_ body: FormBody) throws(Problem) -> [Int] {
        let words = (body["widths"] ?? "").split { $0 == "," || $0.isWhitespace }
        let widths = words.prefix(Self.widthLimit + 1).compactMap { Int($0) }
        guard widths.count == words.count, widths.count <= Self.widthLimit else {
            throw Problem(
                .invalidBody, "widths must be at most \(Self.widthLimit) whole numbers, separated by commas")
        }
        return widths
    }

    // MARK: Session

    /// The cookie's value for a text that was entered as the token; `nil` if it is not the token.
    ///
    /// - Throws: ``Problem`` of the kind `too-many-requests` after too many wrong tokens, whatever the text.
    private func begin(with text: String, _ context: ServerRequestContext) throws(Problem) -> String? {
        let client = context.clientAddress
        if let wait = self.failures.refusal(of: client) {
            let seconds = Int(max(1, (wait / .seconds(1)).rounded(.up)))
            throw Problem(
                .tooManyRequests, "your address has sent too many wrong tokens; try again in \(seconds) s",
                retryAfterSeconds: seconds)
        }
        guard let value = self.session.begin(with: text) else {
            context.logger.warning("A sign-in to /admin failed", metadata: ["client.address": "\(client)"])
            return nil
        }
        self.failures.refund(client)
        return value
    }

    private func cookie(_ context: ServerRequestContext) -> SiteCookie {
        AdminSession.cookie(isSecure: self.site.useCases.authenticator.site.isSecure(context))
    }

    /// The valid value of the cookie; `nil` without one.
    private func sessionValue(of request: Request, _ context: ServerRequestContext) -> String? {
        self.cookie(context).value(in: request.headers).flatMap { self.session.isValid($0) ? $0 : nil }
    }

    // MARK: Pages

    private func page(_ request: PageRequest, _ value: String, _ done: AdminModel.Done? = nil) async throws -> Page {
        let report = try await self.administration.report()
        let model = AdminModel(request, report, token: self.session.formToken(of: value), done: done).model
        return self.page(request.formats("adminTitle"), request.render("admin", model))
    }

    private func signInPage(_ request: PageRequest, isWrong: Bool) -> Page {
        let main = request.render(
            "admin-sign-in", ["action": request.links.url(Self.signInPath), "isWrong": isWrong])
        return self.page(request.formats("adminSignIn"), main)
    }

    private func page(_ title: String, _ main: Markup) -> Page {
        var page = Page(title: title, main: main)
        page.needsMoreStyles = true
        page.isIndexable = false
        page.caching = EncodedResponse.CachePolicy.none
        return page
    }

    /// The request as one for the page of its form, so that links and languages lead there.
    private func parsed(_ request: Request, _ context: ServerRequestContext) throws -> PageRequest {
        let target = RequestTarget(request.uri.string)
        let isSignIn = target.path == Self.signInPath[...]
        let query = request.uri.query.map { "?\($0)" } ?? ""
        return try PageRequest(
            target: RequestTarget((isSignIn ? Self.signInPath : Self.path) + query), headers: request.headers,
            client: context.clientAddress.description, site: self.site)
    }

    private func home(_ request: Request) -> ReturnPath { self.path(Self.path, inLanguageOf: request) }

    private func signIn(_ request: Request) -> ReturnPath { self.path(Self.signInPath, inLanguageOf: request) }

    private func path(_ path: String, inLanguageOf request: Request) -> ReturnPath {
        (ReturnPath(path) ?? .home).inLanguage(of: ReturnPath(request.uri.string) ?? .home)
    }

    private func response(_ page: Page, _ request: Request, _ context: ServerRequestContext) throws -> Response {
        var response = Layout(page, try self.parsed(request, context)).response(lifetime: 0)
        // Prefetched responses would be stored as if they were shared.
        response.extra[.speculationRules] = nil
        return try response.compressed(for: request).response(to: request)
    }
}
