import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// Signing in by approval: a token, the page on which the user approves, and the session.
struct TMDBSignIn: Sendable {
    /// Says where the user approves.
    private static let callback = HTTPField.Name("Authentication-Callback")!

    let sessions: TMDBSessions

    private var services: MovieServices { self.sessions.useCases.services }

    /// The page on which the user approves; relative to the server where it is a page of ours and no public URL is configured.
    ///
    /// - Parameter address: Where that page leads to; nil for nowhere. A page of ours leads to the address that came with
    ///   the request for the token: one in a link might be of anyone.
    func approvalURL(of token: String, returningTo address: String? = nil) -> String {
        let token = PercentEncoding.encode(token.utf8)
        guard let origin = self.services.accounts.approvalOrigin else {
            return self.sessions.useCases.publicURL.address(of: "/auth/approve/\(token)")
        }
        let address = address.flatMap { RedirectURI($0) }.map { "?redirect_to=\(PercentEncoding.encode($0.text.utf8))" }
        return "\(origin)/authenticate/\(token)\(address ?? "")"
    }

    /// - Parameter absolute: Makes a URL that is relative to the server absolute.
    /// - Throws: ``TMDBFault`` for a `redirect_to` that is no address to return to, and what the domain throws.
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

    /// Always refused: no name and password of The Movie Database is for this server.
    ///
    /// - Throws: ``TMDBFault`` with the page on which the user approves of the token.
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

    /// Ends a session; one that has ended already is no error.
    ///
    /// - Returns: The response, and why the source did not end its session; nil when it did, or had none.
    func endSession(
        _ request: TMDBRequest, _ body: TMDBBody
    ) async throws -> (answer: TMDBAnswer, failure: SourceFailure?) {
        guard let id = body.sessionID ?? request["session_id"], let token = AccessToken(id) else {
            throw TMDBFault(.invalidID)
        }
        return (TMDBAnswer(["success": true]), try await self.sessions.signIn.end(token))
    }
}
