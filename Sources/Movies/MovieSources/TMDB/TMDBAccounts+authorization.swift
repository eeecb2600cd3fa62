import BoundedCache
package import MovieDomain
import UpstreamClient

extension TMDBAccounts {
    /// The default lifetime of a request token without `expires_at`: TMDB's usual 60 min.
    private static let tokenSeconds: Int64 = 3600
    /// Status codes for a token that is not approved yet.
    private static let openCodes: Set<Int> = [17, 41]
    /// Status codes for an unknown or used token.
    private static let unknownCodes: Set<Int> = [5, 6, 33, 34, 35, 37]

    package func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        let answer = try await self.tmdb.client.send(UpstreamRequest("/authentication/token/new"))
        guard answer.status == 200 else { throw self.tmdb.client.failure(byStatusOf: answer) }
        let object = try self.object(answer)
        guard object.flag("success") != false, let token = object.text("request_token"), Self.isToken(token) else {
            throw SourceFailure.badAnswer(.tmdb, reason: "the response has no request token")
        }
        let expiresAt = object.date("expires_at")?.instant
        let query = returningTo.map { [(name: "redirect_to", value: $0)] } ?? []
        return AuthorizationRequest(
            token: token,
            url: UpstreamURL.text(base: self.tmdb.websiteURL, path: "/authenticate/\(token)", query: query),
            expiresAt: expiresAt ?? self.tmdb.client.now().adding(.seconds(Self.tokenSeconds)))
    }

    /// Exchanges an approved token for a session.
    ///
    /// The account is requested afterwards. If that fails, the session is cached for the next call with the token,
    /// because TMDB accepts a token only once.
    package func session(for requestToken: String) async throws -> UpstreamSession {
        guard Self.isToken(requestToken) else { throw AuthorizationFailure.unknownToken }
        let secret: String
        // Only one of several concurrent calls removes it.
        if let open = self.tmdb.pendingSessions.value(for: requestToken), self.tmdb.pendingSessions.remove(requestToken)
        {
            secret = open
        } else {
            secret = try await self.newSession(for: requestToken)
        }
        do {
            let account = try await self.account(secret: secret)
            return UpstreamSession(source: .tmdb, secret: secret, accountID: account.id)
        } catch is SessionExpired {
            throw AuthorizationFailure.unknownToken
        } catch {
            self.tmdb.pendingSessions.insert(secret, for: requestToken)
            throw error
        }
    }

    private func newSession(for requestToken: String) async throws -> String {
        let answer = try await self.tmdb.client.send(
            UpstreamRequest(
                "/authentication/session/new", method: .post,
                json: Array(#"{"request_token":"\#(requestToken)"}"#.utf8)))
        switch TMDBStatus.code(of: answer) {
        case .some(let code) where Self.openCodes.contains(code): throw AuthorizationFailure.notApproved
        case .some(let code) where Self.unknownCodes.contains(code): throw AuthorizationFailure.unknownToken
        case 16: throw AuthorizationFailure.denied
        default: break
        }
        guard [200, 401, 404, 422].contains(answer.status) else { throw self.tmdb.client.failure(byStatusOf: answer) }
        let object = try self.object(answer)
        guard answer.status == 200, object.flag("success") != false, let secret = object.text("session_id"),
            Self.isToken(secret)
        else { throw AuthorizationFailure.unknownToken }
        return secret
    }
}
