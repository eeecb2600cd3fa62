import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Pages that belong to one visitor: each is made for its request, and no cache that others use stores it.
struct PersonalPages: Sendable {
    let site: Website
    let gate: FormGate

    /// Who asks for a page, and with what.
    struct Visitor: Sendable {
        /// nil without one.
        let session: AuthenticatedSession?
        /// For the forms of the page.
        let token: String
        /// Parameters that links of the page do not carry along.
        let once: [String: String]
    }

    /// - Parameters:
    ///   - known: The parameters of the page, which its links carry along.
    ///   - once: The parameters that say what has just happened.
    ///   - make: Is cancelled when the client disconnects.
    func get(
        _ path: RouterPath, known: [String] = [], once: Set<String> = [],
        on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (PageRequest, Visitor) async throws -> Page
    ) {
        router.get(path) { request, context in
            let target = RequestTarget(request.uri.string)
            let page = try PageRequest(
                target: target, headers: request.headers, client: context.clientAddress.description, known: known,
                site: self.site)
            let said = try target.parameters(plusIsSpace: true).filter { once.contains($0.name) }
            let recorder = FreshnessRecorder()
            do {
                let response = try await context.whileClientPresent {
                    try await FreshnessRecorder.$current.withValue(recorder) {
                        let session = try await self.gate.session(of: request, context)
                        let visitor = Visitor(
                            session: session, token: self.gate.tokens.token(for: session),
                            once: Dictionary(said.map { ($0.name, $0.value) }) { first, _ in first })
                        return Layout(try await make(page, visitor), page).response(lifetime: 0)
                    }
                }
                return try self.personal(response, recorder, for: request)
            } catch AccountFailure.sessionExpired {
                return FormGate.redirection(
                    to: .signIn(returningTo: page.returnPath, isAgain: true),
                    cookies: [self.gate.authenticator.cookie(context).clearing])
            }
        }
    }

    private func personal(
        _ shared: EncodedResponse, _ recorder: FreshnessRecorder, for request: Request
    ) throws(Problem) -> Response {
        var response = shared.filled { _ in "" }
        response.mark(recorder, staleSeconds: CacheLifetime.stale)
        // What is fetched ahead would be stored as if it were for all.
        response.extra[.speculationRules] = nil
        return try response.compressed(for: request).response(to: request)
    }
}
