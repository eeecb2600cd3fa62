import Flights
import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Answers requests for pages: a page is made once for all clients, and its slots are filled for each.
struct PageResponder {
    /// What a page that all clients share depends on.
    fileprivate struct CacheKey: Hashable, Sendable {
        /// Path and known parameters.
        let address: String
        let isPart: Bool
        let region: Country?
        let languages: LanguagePreference
        let explicitLanguage: Language?
        /// Of the URLs of pictures.
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

    /// Registers a page.
    ///
    /// - Parameters:
    ///   - known: Its parameters beside `language`, `region` and `part`, in the order in which addresses have them.
    ///   - lifetime: In shared caches, in seconds, where the page says nothing.
    ///   - supplementLimit: The most requests for supplements that a response starts; nil for any number.
    ///   - make: Is cancelled when all clients that wait for it have disconnected.
    func get(
        _ path: String, known: [String] = [], lifetime: Int, supplementLimit: Int? = nil,
        _ make: @escaping @Sendable (PageRequest) async throws -> Page
    ) {
        let pages = SharedPages(
            site: self.site, slots: self.slots, cache: self.cache, flights: self.flights, lifetime: lifetime,
            supplementLimit: supplementLimit, make: make)
        let site = self.site
        self.router.get(RouterPath(path)) { request, context in
            let parsed = try PageRequest(
                target: RequestTarget(request.uri.string), headers: request.headers,
                client: context.clientAddress.description, known: known, site: site)
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

    /// The page with its slots.
    func page(_ parsed: PageRequest, _ context: ServerRequestContext) async throws -> EncodedResponse {
        let key = PageResponder.CacheKey(
            address: parsed.address(), isPart: parsed.isPart, region: parsed.region, languages: parsed.language,
            explicitLanguage: parsed.explicitLanguage, generation: self.site.pictures.urls.generation)
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

    /// Marked by the freshness of what it is made of.
    private func made(_ parsed: PageRequest) async throws -> EncodedResponse {
        let recorder = FreshnessRecorder(supplementLimit: self.supplementLimit)
        let page = try await FreshnessRecorder.$current.withValue(recorder) { try await self.make(parsed) }
        let isStandIn = recorder.staleness?.reason == .originFailed
        var response = Layout(page, parsed, confirmedSecondsAgo: isStandIn ? recorder.age : nil)
            .response(lifetime: self.lifetime)
        response.mark(recorder, staleSeconds: CacheLifetime.stale)
        return response
    }

    /// The page for one client.
    func response(
        _ shared: EncodedResponse, _ parsed: PageRequest, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        guard !shared.slots.isEmpty else { return try shared.response(to: request) }
        var place = PageSlots.Place(
            language: parsed.interface, links: parsed.links, returnTo: parsed.returnPath)
        guard
            case .user(let session) = try await self.site.useCases.authenticator.principal(of: request, context)
        else { return try self.slots.filled(shared, for: place).response(to: request) }
        place.session = session
        place.marks = try await self.site.useCases.marks(of: PageSlots.films(of: shared), for: session, context)
        var personal = self.slots.filled(shared, for: place)
        // What is fetched ahead of a visit would be stored without a visit.
        personal.extra[.speculationRules] = nil
        return try personal.compressed(for: request).response(to: request)
    }
}

extension PageRedirection {
    /// For how long caches may store it, in seconds.
    private static let seconds = 300

    fileprivate var response: Response {
        Response(
            status: self.status,
            headers: [
                .location: self.location,
                .cacheControl: EncodedResponse.CachePolicy.shared(seconds: Self.seconds, stale: 0).fieldValue,
                .contentTypeOptions: "nosniff",
            ])
    }
}
