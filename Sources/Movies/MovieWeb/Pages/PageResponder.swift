import Flights
import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Handles requests for pages: makes each page once for all clients, and fills its slots for each client.
struct PageResponder {
    fileprivate struct CacheKey: Hashable, Sendable {
        /// Path and known parameters.
        let address: String
        let isPart: Bool
        let region: Country?
        let languages: LanguagePreference
        let explicitLanguage: Language?
        /// The badges on posters; `nil` for none.
        let badges: PictureBadges?
        /// The generation of picture URLs.
        let generation: UInt64
    }

    let site: Website
    private let router: Router<ServerRequestContext>
    private let slots: PageSlots
    private let cache: ResponseCache<CacheKey>
    private let flights = SingleFlight<CacheKey, EncodedResponse>()

    init(_ site: Website, slots: PageSlots, on router: Router<ServerRequestContext>) {
        self.site = site
        self.router = router
        self.slots = slots
        self.cache = ResponseCache(lifetime: site.services.sharedResponseLifetime)
    }

    /// - Parameters:
    ///   - known: The page's parameters besides `language`, `region` and `part`, in their order in addresses.
    ///   - lifetime: The lifetime in shared caches, in seconds; used unless the page has its own policy.
    ///   - supplementLimit: Maximum number of supplement requests that a response starts; `nil` disables the limit.
    ///   - make: Cancelled when all clients that wait for the page have disconnected.
    func get(
        _ path: String, known: [String] = [], lifetime: Int, supplementLimit: Int? = nil,
        _ make: @escaping @Sendable (PageRequest) async throws -> Page
    ) {
        let pages = SharedPages(
            site: self.site, slots: self.slots, cache: self.cache, flights: self.flights, lifetime: lifetime,
            supplementLimit: supplementLimit, make: make)
        let site = self.site
        self.router.get(RouterPath(path)) { request, context in
            var page = try PageRequest(
                target: RequestTarget(request.uri.string), headers: request.headers,
                client: context.clientAddress.description, known: known, site: site)
            page.badges = BadgeSetting.badges(of: request, context, site)
            let parsed = page
            do {
                let shared = try await pages.page(parsed, context)
                return try await pages.response(shared, parsed, request, context)
            } catch let elsewhere as PageRedirection {
                return elsewhere.response
            }
        }
    }
}

/// The pages of one route.
private struct SharedPages: Sendable {
    let site: Website
    let slots: PageSlots
    let cache: ResponseCache<PageResponder.CacheKey>
    let flights: SingleFlight<PageResponder.CacheKey, EncodedResponse>
    let lifetime: Int
    let supplementLimit: Int?
    let make: @Sendable (PageRequest) async throws -> Page

    func page(_ parsed: PageRequest, _ context: ServerRequestContext) async throws -> EncodedResponse {
        let key = PageResponder.CacheKey(
            address: parsed.address(), isPart: parsed.isPart, region: parsed.region, languages: parsed.language,
            explicitLanguage: parsed.explicitLanguage, badges: parsed.badges,
            generation: self.site.pictures.urls.generation)
        if let stored = self.cache.response(for: key) { return stored }
        do {
            return try await context.whileClientPresent {
                try await self.flights.value(for: key) { _ in
                    let page = try await self.made(parsed)
                    self.cache.insert(page, for: key)
                    return page
                }.value
            }
        } catch {
            self.cache.remove(key)
            throw error
        }
    }

    /// Makes the page, and marks it with the freshness of its parts.
    private func made(_ parsed: PageRequest) async throws -> EncodedResponse {
        let recorder = FreshnessRecorder(supplementLimit: self.supplementLimit)
        let page = try await FreshnessRecorder.$current.withValue(recorder) { try await self.make(parsed) }
        let isStandIn = recorder.staleness?.reason == .originFailed
        var response = Layout(page, parsed, confirmedSecondsAgo: isStandIn ? recorder.age : nil)
            .response(lifetime: self.lifetime)
        response.mark(recorder, staleSeconds: CacheLifetime.stale)
        return response
    }

    /// The page for one client, with filled slots.
    func response(
        _ shared: EncodedResponse, _ parsed: PageRequest, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        guard !shared.slots.isEmpty else { return try self.response(shared, to: request) }
        var place = PageSlots.Place(
            language: parsed.interface, links: parsed.links, returnTo: parsed.returnPath)
        guard
            case .user(let session) = try await self.site.useCases.authenticator.principal(of: request, context)
        else { return try self.response(self.slots.filled(shared, for: place), to: request) }
        place.session = session
        place.marks = try await self.site.useCases.marks(of: PageSlots.films(of: shared), for: session, context)
        var personal = self.slots.filled(shared, for: place)
        // Prefetched pages would be stored before the visit.
        personal.extra[.speculationRules] = nil
        return try personal.compressed(for: request).response(to: request)
    }

    /// The server itself compresses only successful responses that any client may receive.
    private func response(_ page: EncodedResponse, to request: Request) throws -> Response {
        let isForAll = page.status == .ok && page.caching != .own
        return try (isForAll ? page : page.compressed(for: request)).response(to: request)
    }
}

extension PageRedirection {
    /// How long caches may store the redirection, in seconds.
    private static let seconds = 300

    /// No cache stores a temporary redirection: the last page of a list changes, and may depend on `Accept-Language`.
    var response: Response {
        let caching: EncodedResponse.CachePolicy =
            self.status == .movedPermanently ? .shared(seconds: Self.seconds, stale: 0) : .none
        return Response(
            status: self.status,
            headers: [
                .location: self.location, .cacheControl: caching.fieldValue, .contentTypeOptions: "nosniff",
            ])
    }
}
