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
        let once: [String: String]
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
                            once: Dictionary(said.map { ($0.name, $0.value) }) { first, _ in first })
                        return Layout(try await make(page, visitor), page).response(lifetime: 0)
                    }
                }
                return try self.personal(response, recorder, for: request)
            } catch let elsewhere as PageRedirection {
                return elsewhere.response
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
        // Prefetched responses would be stored as if they were shared.
        response.extra[.speculationRules] = nil
        return try response.compressed(for: request).response(to: request)
    }
}
