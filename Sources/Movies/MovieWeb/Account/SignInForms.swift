import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// `POST /sign-in`, `POST /sign-in/approve`, `GET /sign-in/return` and `POST /sign-out`: sign-in by approval at the
/// account's source or on this site's own page.
struct SignInForms: Sendable {
    /// The path to which the approval page of a source redirects, and the path of the sign-in page.
    private static let (returnPath, signInPath) = ("/sign-in/return", "/sign-in")

    let gate: FormGate
    let signIn: SignIn
    /// Approves sign-ins on this site; `nil` if the source has its own page for that.
    let approvals: (any ApprovalHandler)?
    let watchlist: SavedFilms
    /// The URL at which clients reach the server; `nil` if not configured.
    let publicURL: PublicURL?
    /// `nil` disables the limit.
    let newcomers: SignUpRateLimiter?

    func register(on router: Router<ServerRequestContext>) {
        self.gate.post(RouterPath(Self.signInPath), on: router, self.begin)
        if let approvals = self.approvals {
            self.gate.post(RouterPath(SignInApprovalPage.path), fields: ["approve", "deny"], on: router) { form in
                try await self.decide(form, approvals)
            }
        }
        router.get(RouterPath(Self.returnPath), use: self.complete)
        self.gate.post("/sign-out", endsSession: true, on: router, self.end)
    }

    private var site: SiteOrigin { self.gate.authenticator.site }

    @Sendable
    private func begin(_ form: FormGate.Form) async throws -> Response {
        try self.newcomers?.admit(form.context.clientAddress)
        let address = self.site.absolute(
            self.publicURL.address(of: Self.returnPath), for: form.request, form.context)
        let wish: AuthorizationRequest
        do {
            wish = try await self.signIn.begin(returningTo: address)
        } catch SignIn.Failure.unacceptableAddress {
            throw Problem(.malformedRequest, "the host of the request is not valid in a URL")
        }
        let pending = PendingSignIn(token: wish.token, returnTo: form.returnTo ?? .savedFilms)
        var url = wish.url
        if self.approvals != nil {
            let page = (ReturnPath(SignInApprovalPage.path) ?? .home).inLanguage(of: form.returnTo ?? .home)
            url = self.publicURL.address(of: page.description)
        }
        let headers: HTTPFields = [
            .location: url, .cacheControl: "no-store",
            .setCookie: PendingSignIn.cookie(isSecure: self.site.isSecure(form.context))
                .setting(pending.cookieValue, for: PendingSignIn.seconds),
        ]
        return Response(status: .seeOther, headers: headers)
    }

    /// The decision on this site's own page. Only the browser that began has the sign-in's cookie.
    private func decide(_ form: FormGate.Form, _ approvals: any ApprovalHandler) async throws -> Response {
        let approves = form.body["approve"] == "1"
        guard approves != (form.body["deny"] == "1") else {
            throw Problem(.invalidBody, "the form must have either approve=1 or deny=1")
        }
        let cookie = PendingSignIn.cookie(isSecure: self.site.isSecure(form.context))
        guard let pending = cookie.value(in: form.request.headers).flatMap(PendingSignIn.init),
            try await approvals.decide(pending.token, approves: approves) != nil
        else { return self.again(.late, returningTo: form.returnTo ?? .home, cookies: [cookie.clearing]) }
        guard approves else { return self.again(.denied, returningTo: pending.returnTo, cookies: [cookie.clearing]) }
        return try await self.finish(pending, from: form.session, form.context)
    }

    /// The target of a source's approval page. Only the browser that began has the sign-in's cookie, so no other is signed in.
    @Sendable
    private func complete(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let isSecure = self.site.isSecure(context)
        let cookie = PendingSignIn.cookie(isSecure: isSecure)
        let parameters = try RequestTarget(request.uri.string).parameters(plusIsSpace: true)
        func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        guard let pending = cookie.value(in: request.headers).flatMap(PendingSignIn.init),
            parameter("request_token") == pending.token
        else { return self.again(.late, returningTo: .home, cookies: []) }
        guard parameter("denied") != "true" else {
            return self.again(.denied, returningTo: pending.returnTo, cookies: [cookie.clearing])
        }
        let holder: AuthenticatedSession?
        // Wherever the approval page is: the pending sign-in's cookie shows that this is no cross-site request.
        if case .user(let session) = try await self.gate.authenticator.principal(of: request, context) {
            holder = session
        } else {
            holder = nil
        }
        return try await self.finish(pending, from: holder, context)
    }

    /// Opens the session of an approved sign-in, and redirects to the page that asked for it.
    private func finish(
        _ pending: PendingSignIn, from holder: AuthenticatedSession?, _ context: ServerRequestContext
    ) async throws -> Response {
        let cookie = PendingSignIn.cookie(isSecure: self.site.isSecure(context))
        do {
            var (session, favouriteCount, _) = try await self.signIn.complete(
                requestToken: pending.token, from: holder)
            do {
                session.device = try await self.signIn.device(behind: session)
            } catch is StorageFailure {
                // The repository logs it. Signing out tries again.
            }
            self.watchlist.moveToSource(for: session)
            return FormGate.redirection(
                to: pending.returnTo.signedIn(movedFavourites: favouriteCount),
                cookies: [self.gate.authenticator.setting(session, context), cookie.clearing])
        } catch let failure as AuthorizationFailure {
            switch failure {
            case .notApproved: return self.again(.notApproved, returningTo: pending.returnTo, cookies: [])
            case .denied: return self.again(.denied, returningTo: pending.returnTo, cookies: [cookie.clearing])
            case .unknownToken: return self.again(.late, returningTo: pending.returnTo, cookies: [cookie.clearing])
            }
        }
    }

    /// Ends the session of an account. The browser returns to its device, with the device's lists.
    @Sendable
    private func end(_ form: FormGate.Form) async throws -> Response {
        guard let session = form.session else { return self.gate.over(form, .signedOut) }
        guard session.session.upstream != nil else {
            return self.gate.over(form, .signedOut, returningTo: session.token)
        }
        // Before the session ends: lists without a session are removed.
        let device = try await self.signIn.device(behind: session)
        if let failure = try await self.signIn.end(session.token) { form.context.logger.noticeOpenSessions(failure) }
        return self.gate.over(form, .signedOut, returningTo: device)
    }

    private func again(_ note: SignInNote, returningTo page: ReturnPath, cookies: [String]) -> Response {
        FormGate.redirection(
            to: ReturnPath.signIn(returningTo: page).adding(SignInNote.parameter, note.rawValue), cookies: cookies)
    }
}

/// The outcome of the preceding attempt, reported on the sign-in page.
enum SignInNote: String, CaseIterable, Sendable {
    case denied
    case late
    case notApproved = "not-approved"
    /// The session has ended.
    case again
    case signedOut = "signed-out"
    /// All stored data of the visitor was erased.
    case erased

    static let parameter = "note"

    var key: String {
        switch self {
        case .denied: "signInDenied"
        case .late: "signInLate"
        case .notApproved: "signInNotOpen"
        case .again: "signInAgain"
        case .signedOut: "signedOut"
        case .erased: "dataErased"
        }
    }

    /// Whether the note reports an error.
    var isAlarm: Bool { self == .late || self == .notApproved }
}

/// A sign-in begun by a browser, as stored in its cookie.
struct PendingSignIn: Hashable, Sendable {
    /// The cookie's lifetime, in seconds.
    static let seconds: Int64 = 900

    let token: String
    let returnTo: ReturnPath

    static func cookie(isSecure: Bool) -> SiteCookie { SiteCookie("onesheet_sign_in", isSecure: isSecure) }

    init(token: String, returnTo: ReturnPath) {
        self.token = token
        self.returnTo = returnTo
    }

    /// - Returns: `nil` if the text is no ``cookieValue``.
    init?(_ cookieValue: String) {
        let texts = cookieValue.split(separator: ".", omittingEmptySubsequences: false).map { part in
            Base64URL.decode(String(part)).flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard texts.count == 2, let token = texts[0], !token.isEmpty, let page = texts[1].flatMap(ReturnPath.init)
        else {
            return nil
        }
        self.init(token: token, returnTo: page)
    }

    var cookieValue: String {
        "\(Base64URL.encode(Array(self.token.utf8))).\(Base64URL.encode(Array(self.returnTo.description.utf8)))"
    }
}

extension ReturnPath {
    static let savedFilms = ReturnPath("/my/favourites") ?? .home

    /// The path with a note of the sign-in, if it is one of the pages with the visitor's films.
    ///
    /// - Parameter count: The number of moved favourites; `nil` for none.
    fileprivate func signedIn(movedFavourites count: Int?) -> ReturnPath {
        guard self.description.hasPrefix("/my/") else { return self }
        return self.adding(SavedFilmsNote.parameter, String(count ?? 0))
    }
}

/// Reports a sign-in and the number of moved favourites.
enum SavedFilmsNote {
    static let parameter = "signed-in"
}
