import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Admits forms from this site's own pages. Browsers receive a redirection back; the site's scripts receive JSON.
struct FormGate: Sendable {
    static let commonFields: Set<String> = ["token", "return"]

    let authenticator: SessionAuthenticator
    let tokens: FormTokens
    /// The language of clients that request none.
    let defaultLanguage: Language

    /// A form that passed all checks and may change state.
    struct Form: Sendable {
        let request: Request
        let context: ServerRequestContext
        let body: FormBody
        let session: AuthenticatedSession?
        /// The form's page; `nil` if the form names no page of this site.
        var returnTo: ReturnPath?
        let wantsJSON: Bool
        let language: LanguagePreference
    }

    /// - Parameters:
    ///   - fields: The names of the form's fields besides ``commonFields``.
    ///   - lengthLimit: The maximal length of the body in bytes.
    ///   - endsSession: Whether the form ends the session: it needs no token if the session has ended already.
    ///   - expired: Responds to a form with an invalid token, which must change nothing; `nil` for a problem.
    ///   - answer: Cancelled when the client disconnects.
    func post(
        _ path: RouterPath, fields: Set<String> = [], lengthLimit: Int = FormBody.lengthLimit,
        endsSession: Bool = false, on router: Router<ServerRequestContext>,
        expired: (@Sendable (Form) async throws -> Response)? = nil,
        _ answer: @escaping @Sendable (Form) async throws -> Response
    ) {
        router.post(path) { request, context in
            let wantsJSON = request.headers.combined(.accept)?.contains("application/json") == true
            // A request with a cookie but without an origin is rejected.
            let sentCookie = self.authenticator.cookie(context).value(in: request.headers) != nil
            try self.authenticator.site.checkForm(request, needsOrigin: sentCookie)
            let body = try await FormBody(
                of: request, known: Self.commonFields.union(fields), lengthLimit: lengthLimit)
            let session = try await self.session(of: request, context)
            let returnTo = body["return"].flatMap(ReturnPath.init)
            let form = Form(
                request: request, context: context, body: body, session: session, returnTo: returnTo,
                wantsJSON: wantsJSON, language: self.language(of: request, returnTo))
            let hasEnded = endsSession && session?.session.upstream == nil
            guard hasEnded || self.tokens.isValid(body["token"], for: session) else {
                guard wantsJSON else {
                    if let expired { return try await expired(form) }
                    throw Problem(.crossSite, "the form belongs to another session; go back and send it again")
                }
                // The request comes from a page of this site, which may have the valid token.
                return try self.json(["token": .text(self.tokens.token(for: session))], status: .forbidden)
            }
            do {
                return try await context.whileClientPresent { try await answer(form) }
            } catch let failure as AccountFailure {
                return try self.refusal(failure, form)
            }
        }
    }

    /// - Throws: ``StorageFailure`` if sessions cannot be read: the form must not be treated as one without a session.
    func session(
        of request: Request, _ context: ServerRequestContext
    ) async throws -> AuthenticatedSession? {
        switch try await self.authenticator.principal(of: request, context) {
        case .user(let session): return session
        case .anonymous, .invalidToken: return nil
        case .unknown: throw StorageFailure(reason: "sessions cannot be read")
        }
    }

    /// The language of the form's page.
    private func language(of request: Request, _ page: ReturnPath?) -> LanguagePreference {
        if let named = page?.parameter("language").flatMap({ Language(tag: $0) }) {
            return LanguagePreference([named])
        }
        let accepted = AcceptLanguage(request.headers.combined(.acceptLanguage), any: self.defaultLanguage).languages
        return LanguagePreference(accepted.isEmpty ? [self.defaultLanguage] : accepted)
    }
}

// MARK: Answers

extension FormGate {
    /// A JSON value for scripts.
    enum Value: Encodable, Sendable {
        case flag(Bool)
        case number(Double)
        case text(String)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .flag(let flag): try container.encode(flag)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    /// The response to a successful form.
    ///
    /// - Parameters:
    ///   - session: The session for the page's next forms.
    ///   - cookie: `Set-Cookie`; `nil` for none.
    ///   - fallback: The page for a form that names none.
    func done(
        _ form: Form, _ values: [String: Value], session: AuthenticatedSession?, cookie: String? = nil,
        fallback: ReturnPath
    ) throws -> Response {
        guard form.wantsJSON else { return Self.redirection(to: form.returnTo ?? fallback, cookies: [cookie]) }
        var values = values
        values["token"] = .text(self.tokens.token(for: session))
        return try self.json(values, cookie: cookie)
    }

    /// Redirects to the sign-in page after a session has ended, and clears the browser's data of the session.
    ///
    /// - Parameter device: The token of the device that the browser returns to; `nil` for none.
    func over(_ form: Form, _ note: SignInNote, returningTo device: AccessToken? = nil) -> Response {
        let isSecure = self.authenticator.site.isSecure(form.context)
        let page = (ReturnPath("/sign-in") ?? .home).inLanguage(of: form.returnTo ?? .home)
        var response = Self.redirection(
            to: page.adding(SignInNote.parameter, note.rawValue),
            cookies: [
                self.authenticator.ending(returningTo: device, form.context),
                PendingSignIn.cookie(isSecure: isSecure).clearing,
            ])
        // Removes stored pages of the account.
        response.headers[.clearSiteData] = "\"cache\", \"storage\""
        return response
    }

    /// Redirects to the sign-in page for functions that require an account.
    private func refusal(_ failure: AccountFailure, _ form: Form) throws -> Response {
        guard case .unknownMovie = failure else {
            let hasEnded = failure == .sessionExpired
            let device = self.authenticator.credentials(of: form.request, form.context).device
            let cookie = self.authenticator.ending(returningTo: device, form.context)
            let path = ReturnPath.signIn(returningTo: form.returnTo ?? .home, isAgain: hasEnded)
            guard form.wantsJSON else { return Self.redirection(to: path, cookies: hasEnded ? [cookie] : []) }
            return try self.json(
                ["signIn": .text(path.description)], status: .unauthorized, cookie: hasEnded ? cookie : nil)
        }
        throw failure
    }

    /// A redirection with status 303, which the browser follows with `GET`.
    static func redirection(to path: ReturnPath, cookies: [String?] = []) -> Response {
        var headers: HTTPFields = [.location: path.description, .cacheControl: "no-store"]
        for cookie in cookies.compactMap({ $0 }) { headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(status: .seeOther, headers: headers)
    }

    private func json(
        _ values: [String: Value], status: HTTPResponse.Status = .ok, cookie: String? = nil
    ) throws -> Response {
        var response = Response.unstored(try EncodedResponse.jsonBytes(of: values), status: status)
        response.headers[.setCookie] = cookie
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let clearSiteData = Self("Clear-Site-Data")!
}

extension ReturnPath {
    /// The sign-in page, in the language of `page`, to which it returns.
    ///
    /// - Parameter isAgain: Whether a session has ended.
    static func signIn(returningTo page: ReturnPath, isAgain: Bool = false) -> ReturnPath {
        var path = ReturnPath("/sign-in") ?? .home
        if isAgain { path = path.adding(SignInNote.parameter, SignInNote.again.rawValue) }
        return path.inLanguage(of: page).adding("return", PercentEncoding.encode(page.description.utf8))
    }

    /// Adds the language named in the address of another page, if any.
    func inLanguage(of page: ReturnPath) -> ReturnPath {
        page.parameter("language").map { self.adding("language", PercentEncoding.encode($0.utf8)) } ?? self
    }
}
