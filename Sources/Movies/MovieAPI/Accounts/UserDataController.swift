import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /account/export` and `DELETE /account`
struct UserDataController: Sendable {
    static let fileName = "onesheet-account.json"

    private let userData: any UserDataRepository
    private let erase: EraseUserData
    private let authenticator: SessionAuthenticator
    private let now: @Sendable () -> Instant

    init(_ responses: MovieResponses) {
        self.userData = responses.services.userData
        self.erase = responses.useCases.eraseUserData
        self.authenticator = responses.useCases.authenticator
        self.now = responses.services.now
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/account/export", use: self.export)
        router.delete("/account", use: self.eraseAccount)
    }

    @Sendable
    private func export(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try request.targetWithoutParameters()
        let session = try await self.authenticator.session(of: request, context)
        let data = try await context.whileClientPresent {
            try await self.userData.data(of: session.session.owner)
        }
        var response = try PrivateResponse(UserDataObject(data, at: self.now())).response()
        response.headers[.contentDisposition] = "attachment; filename=\"\(Self.fileName)\""
        return response
    }

    @Sendable
    private func eraseAccount(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try request.targetWithoutParameters()
        let session = try await self.authenticator.session(of: request, context)
        if let failure = try await self.erase(session) { context.logger.noticeOpenSessions(failure) }
        // A client that sent no cookie has none to clear.
        let cookie = self.authenticator.cookie(context)
        return PrivateResponse.empty(cookie: cookie.value(in: request.headers) == nil ? nil : cookie.clearing)
    }
}
