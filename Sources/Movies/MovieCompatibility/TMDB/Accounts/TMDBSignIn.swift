import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// Sign-in by approval: a token, the page on which the user approves, and the session.
struct TMDBSignIn: Sendable {
    /// The header field with the approval page's URL.
    private static let callback = HTTPField.Name("Authentication-Callback")!

    let sessions: TMDBSessions

    private var services: MovieServices { self.sessions.useCases.services }

    /// The URL of the approval page; relative to the server if the page is its own and no public URL is configured.
    ///
    /// - Parameter address: Where the source's page redirects to; `nil` for no redirect. This server's own page
    ///   redirects to the address from the token request instead: a link may contain anyone's address.
    func approvalURL(of token: String, returningTo address: String? = nil) -> String {
        let token = PercentEncoding.encode(token.utf8)
        guard let origin = self.services.accounts.approvalOrigin else {
            return self.sessions.useCases.publicURL.address(of: "/auth/approve/\(token)")
        }
        let address = address.flatMap { RedirectURI($0) }.map { "?redirect_to=\(PercentEncoding.encode($0.text.utf8))" }
        return "\(origin)/authenticate/\(token)\(address ?? "")"
    }

    /// - Parameter absolute: Makes a URL that is relative to the server absolute.
    /// - Throws: ``TMDBFault`` for an invalid `redirect_to`, and the domain's errors.
    func newToken(_ request: TMDBRequest, _ absolute: (String) -> String) async throws -> TMDBAnswer {
        let address = request["redirect_to"]
        let wish: AuthorizationRequest
        do {
            wish = try await self.sessions.signIn.begin(returningTo: address)
        } catch is SignIn.Failure {
            throw TMDBFault(.invalidParameters)
        }
        var answer = TMDBAnswer([
            "success": true, "expires_at": .string(TMDBDates.seconds(wish.expiresAt)),
            "request_token": .string(wish.token),
        ])
        answer.fields[Self.callback] = absolute(self.approvalURL(of: wish.token, returningTo: address))
        return answer
    }

    /// Always rejects the login: users must not give this server their credentials for The Movie Database.
    ///
    /// - Throws: ``TMDBFault``, with the token's approval page if the request has a token.
    func login(_ request: TMDBRequest, _ body: TMDBBody, _ absolute: (String) -> String) throws(TMDBFault) -> Never {
        let name = body.username ?? request["username"]
        guard name?.isEmpty == false, (body.password ?? request["password"])?.isEmpty == false else {
            throw TMDBFault(.loginRequired)
        }
        var fault = TMDBFault(.invalidLogin)
        if let token = body.requestToken ?? request["request_token"] {
            fault.extra["authenticate_url"] = absolute(self.approvalURL(of: token))
        }
        throw fault
    }

    func newSession(_ request: TMDBRequest, _ body: TMDBBody) async throws -> TMDBAnswer {
        guard let token = body.requestToken ?? request["request_token"] else { throw TMDBFault(.invalidParameters) }
        let opened = try await self.sessions.signIn.complete(requestToken: token)
        self.sessions.useCases.watchlist.moveToSource(for: opened.session)
        return TMDBAnswer(["success": true, "session_id": .string(opened.session.token.text)])
    }

    /// Ends a session; succeeds if it has ended already.
    ///
    /// - Returns: The response, and why the source failed to end its session; `nil` if it did, or has none.
    func endSession(
        _ request: TMDBRequest, _ body: TMDBBody
    ) async throws -> (answer: TMDBAnswer, failure: SourceFailure?) {
        guard let id = body.sessionID ?? request["session_id"], let token = AccessToken(id) else {
            throw TMDBFault(.invalidID)
        }
        return (TMDBAnswer(["success": true]), try await self.sessions.signIn.end(token))
    }
}
