import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Registers the pages and forms of visitors: their films, marks and ratings, sign-in and sign-out.
struct AccountRoutes: Sendable {
    private let site: Website
    private let gate: FormGate
    private let slots: PageSlots
    private let signIn: SignIn

    init(_ site: Website, slots: PageSlots) {
        let services = site.services
        self.site = site
        self.slots = slots
        self.gate = FormGate(
            authenticator: site.useCases.authenticator, tokens: slots.tokens, defaultLanguage: services.defaultLanguage)
        self.signIn = SignIn(
            accounts: services.accounts, sessions: services.sessions, favourites: services.favourites,
            watchlist: services.watchlist, lifetimeSeconds: services.sessionSeconds, now: services.now)
    }

    func register(on router: Router<ServerRequestContext>) {
        let (site, useCases) = (self.site, self.site.useCases)
        let signUp = DeviceSignUp(gate: self.gate, signIn: self.signIn, newcomers: site.services.newcomers)
        MarkForms(
            gate: self.gate, favourites: useCases.favourites, watchlist: useCases.watchlist, signUp: signUp
        ).register(on: router)
        RatingForm(gate: self.gate, accounts: useCases.accounts).register(on: router)
        SignInForms(
            gate: self.gate, signIn: self.signIn, approvals: site.services.approvals, watchlist: useCases.watchlist,
            publicURL: useCases.publicURL, newcomers: site.services.newcomers
        ).register(on: router)
        let pages = PersonalPages(site: site, gate: self.gate, slots: self.slots)
        pages.get(
            "/sign-in", known: ["return"], once: [SignInNote.parameter], on: router
        ) { request, visitor in
            SignInPage(site: site).page(request, visitor)
        }
        if let approvals = site.services.approvals {
            pages.get(RouterPath(SignInApprovalPage.path), on: router) { request, visitor in
                try await SignInApprovalPage(site: site, approvals: approvals).page(request, visitor)
            }
        }
        for list in SavedFilmsPage.List.allCases {
            pages.get(
                RouterPath(list.path), known: list.parameters,
                once: RemovalNote.parameters.union([SavedFilmsNote.parameter]), on: router
            ) { request, visitor in
                try await SavedFilmsPage(site: site, list: list).page(request, visitor)
            }
        }
        FilmListForms(site: site, gate: self.gate, signUp: signUp, pages: pages).register(on: router)
        UserDataPages(site: site, gate: self.gate).register(on: router, pages)
        BadgesRoute(site: site, gate: self.gate).register(on: router, pages)
        router.get("/my") { request, context in
            let page = try PageRequest(
                target: RequestTarget(request.uri.string), headers: request.headers,
                client: context.clientAddress.description, site: site)
            return Response(
                status: .found, headers: [.location: page.links.account, .cacheControl: "no-store"])
        }
    }
}
