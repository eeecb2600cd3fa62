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
    let slots: PageSlots

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
        self.respond(path, known: known, once: once, on: router) { parsed, visitor, request, context in
            let recorder = FreshnessRecorder()
            let page = try await FreshnessRecorder.$current.withValue(recorder) { try await make(parsed, visitor) }
            return try await self.response(page, parsed, visitor.session, recorder, for: request)
        }
    }

    /// As above, for responses other than pages.
    func respond(
        _ path: RouterPath, known: [String] = [], once: Set<String> = [], on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (PageRequest, Visitor, Request, ServerRequestContext) async throws -> Response
    ) {
        router.get(path) { request, context in
            let target = RequestTarget(request.uri.string)
            var parsed = try PageRequest(
                target: target, headers: request.headers, client: context.clientAddress.description, known: known,
                site: self.site)
            parsed.badges = BadgeSetting.badges(of: request, context, self.site)
            let page = parsed
            let said = try target.parameters(plusIsSpace: true).filter { once.contains($0.name) }
            do {
                return try await context.whileClientPresent {
                    let session = try await self.gate.session(of: request, context)
                    let visitor = Visitor(
                        session: session, token: self.gate.tokens.token(for: session),
                        once: Dictionary(said.map { ($0.name, $0.value) }) { first, _ in first },
                        pending: self.pendingSignIn(of: request, context))
                    return try await make(page, visitor, request, context)
                }
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

    /// The page with the visitor's marks on its cards.
    ///
    /// - Parameter recorder: The freshness of the page's parts.
    func response(
        _ page: Page, _ parsed: PageRequest, _ session: AuthenticatedSession?,
        _ recorder: FreshnessRecorder = FreshnessRecorder(), for request: Request
    ) async throws -> Response {
        let shared = Layout(page, parsed).response(lifetime: 0)
        var place = PageSlots.Place(language: parsed.interface, links: parsed.links, returnTo: parsed.returnPath)
        place.session = session
        if let session {
            place.marks = try await self.site.useCases.showMarks(PageSlots.films(of: shared), for: session)
        }
        var response = self.slots.filled(shared, for: place, isForAll: false)
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
