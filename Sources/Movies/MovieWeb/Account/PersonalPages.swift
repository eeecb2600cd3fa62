import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Pages of a single visitor: made for each request, and never stored in shared caches.
struct PersonalPages: Sendable {
    let site: Website
    let gate: FormGate

    struct Visitor: Sendable {
        let session: AuthenticatedSession?
        let token: String
        /// Parameters that the page's links omit.
        var once: [String: String]
        /// The sign-in that the browser has begun; `nil` without one.
        var pending: PendingSignIn?
    }

    /// - Parameters:
    ///   - known: The page's parameters, which its links keep.
    ///   - once: Parameters that report a preceding event; links omit them.
    ///   - make: Cancelled when the client disconnects.
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
                            once: Dictionary(said.map { ($0.name, $0.value) }) { first, _ in first },
                            pending: self.pendingSignIn(of: request, context))
                        return Layout(try await make(page, visitor), page).response(lifetime: 0)
                    }
                }
                return try self.personal(response, recorder, for: request)
            } catch let elsewhere as PageRedirection {
                return elsewhere.adding(said).response
            } catch AccountFailure.sessionExpired {
                let authenticator = self.gate.authenticator
                let device = authenticator.credentials(of: request, context).device
                return FormGate.redirection(
                    to: .signIn(returningTo: page.returnPath, isAgain: true),
                    cookies: [authenticator.ending(returningTo: device, context)])
            }
        }
    }

    private func pendingSignIn(of request: Request, _ context: ServerRequestContext) -> PendingSignIn? {
        let cookie = PendingSignIn.cookie(isSecure: self.gate.authenticator.site.isSecure(context))
        return cookie.value(in: request.headers).flatMap(PendingSignIn.init)
    }

    private func personal(
        _ shared: EncodedResponse, _ recorder: FreshnessRecorder, for request: Request
    ) throws(Problem) -> Response {
        var response = shared.filled { _ in "" }
        response.mark(recorder, staleSeconds: CacheLifetime.stale)
        // Prefetched responses would be stored as if they were shared.
        response.extra[.speculationRules] = nil
        return try response.compressed(for: request).response(to: request)
    }
}

extension PageRedirection {
    /// The redirection with parameters that report a preceding event, such as the removal of a last page's only film.
    fileprivate func adding(_ parameters: [(name: String, value: String)]) -> PageRedirection {
        guard let start = ReturnPath(self.location) else { return self }
        let path = parameters.reduce(start) { $0.adding($1.name, PercentEncoding.encode($1.value.utf8)) }
        return PageRedirection(to: path.description, status: self.status)
    }
}
