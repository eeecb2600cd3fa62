import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP
import NIOCore

/// `GET` and `POST /auth/approve/{requestToken}`: the page on which users approve a client's access.
///
/// Any client with the URL may decide: the token in the URL is the secret.
struct ApprovalController: Sendable {
    /// Maximum size of a form's body, in bytes.
    private static let bodyLimit = 1024

    /// The web pages' choice between light and dark, set by their script.
    private static let theme = SiteCookie("onesheet_theme", isSecure: false)

    let handler: any ApprovalHandler

    func register(on router: Router<ServerRequestContext>) {
        router.get("/auth/approve/:requestToken", use: self.show)
        router.post("/auth/approve/:requestToken", use: self.decide)
    }

    @Sendable
    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let token = try Self.token(of: request)
        return Self.page(try await self.handler.approval(of: token), token: token, for: request)
    }

    @Sendable
    private func decide(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let token = try Self.token(of: request)
        // The origin is not checked: pages without a referrer send none (Fetch, "serializing a request origin").
        guard request.headers[.fetchSite] != "cross-site" else {
            throw Problem(.crossSite, "a page of another site cannot approve or deny a sign-in")
        }
        var form = String(buffer: try await request.wholeBody(upTo: Self.bodyLimit))
        // Some programs append a line break to a form.
        while form.last?.isNewline == true { form.removeLast() }
        let approves: Bool
        switch form {
        case "approve=1": approves = true
        case "deny=1": approves = false
        default: throw Problem(.invalidBody, "the body must be approve=1 or deny=1")
        }
        let approval = try await self.handler.decide(token, approves: approves)
        guard let approval, let address = approval.returnTo.flatMap(RedirectURI.init), approval.state != .open else {
            return Self.page(approval, token: token, for: request)
        }
        var headers = Self.headers(policy: nil)
        headers[.location] = ApprovalPage.returnURL(address, approval.state, token: token)
        return Response(status: .seeOther, headers: headers)
    }

    /// - Throws: ``Problem`` if the text cannot be a token.
    private static func token(of request: Request) throws(Problem) -> String {
        guard let text = try request.targetWithoutParameters().segments.last.flatMap(PercentEncoding.decode),
            (1...SignIn.tokenLengthLimit).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Problem(.unknownRequestToken, "there is no such request token") }
        return text
    }

    private static func page(_ approval: Approval?, token: String, for request: Request) -> Response {
        let languages = AcceptLanguage(request.headers.combined(.acceptLanguage), any: .english).languages
        let theme = Self.theme.value(in: request.headers).flatMap { ["light", "dark"].contains($0) ? $0 : nil }
        let page = ApprovalPage(
            approval: approval, token: token, texts: .texts(for: LanguagePreference(languages)), theme: theme)
        var headers = Self.headers(policy: page.contentSecurityPolicy)
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(
            status: approval == nil ? .notFound : .ok, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.html)))
    }

    private static func headers(policy: String?) -> HTTPFields {
        var headers: HTTPFields = [
            .cacheControl: PrivateResponse.cacheControl, .contentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
        ]
        headers[.contentSecurityPolicy] = policy
        return headers
    }
}
