public import Hummingbird
public import MovieDomain
public import PosterPipeline

/// All resources of the service.
public enum PosterRouter {
    /// - Parameters:
    ///   - movies: The catalogue that `GET /` shows.
    ///   - maxAge: How long clients and caches may keep a poster.
    ///   - policies: What may be asked for.
    ///   - prefetching: Makes what is prefetched, for whoever has the token; nil leaves the resource out.
    ///   - clients: How they are told apart, and what each may do.
    ///   - status: How the service is doing; nil leaves out the resources that tell it.
    /// - Throws: What the repository throws.
    public static func make(
        pipeline: PosterPipeline, movies: some MovieRepository, maxAge: Duration = .seconds(86_400),
        policies: PicturePolicies = PicturePolicies(), prefetching: (warmer: Warmer, token: AdminToken)? = nil,
        clients: ClientRules = ClientRules(), status: (@Sendable () -> ServiceStatus)? = nil
    ) async throws -> Router<PosterRequestContext> {
        let router = Router(context: PosterRequestContext.self, options: .autoGenerateHeadEndpoints)
        let hasPrefetching = prefetching != nil
        if !clients.proxies.isEmpty { router.add(middleware: ClientAddressMiddleware(proxies: clients.proxies)) }
        router.add(
            middleware: ProblemMiddleware(methods: { Self.methods($0, hasPrefetching: hasPrefetching) }))
        if let rates = clients.rates { router.add(middleware: ClientRateMiddleware(rates: rates)) }
        router.add(middleware: HeadLimitMiddleware())
        CatalogueController(movies: try await movies.movies(limit: CatalogueController.movieLimit))
            .register(on: router)
        PosterController(
            pipeline: pipeline, cacheControl: CacheControl(maxAge: maxAge), policies: policies
        ).register(on: router)
        if let (warmer, token) = prefetching {
            PrefetchController(warmer: warmer, policies: policies).register(on: router, token: token)
        }
        if let status { OperationsController(status: status).register(on: router) }
        DescriptionController.register(on: router, features: [])
        return router
    }

    /// The methods of the resource at `target`; nil when there is none.
    private static func methods(_ target: RequestTarget, hasPrefetching: Bool) -> String? {
        let segments = target.segments
        let isPrefetch = segments.count == 2 && segments[0] == "poster" && segments[1] == PrefetchController.segment
        let isThere =
            switch segments.count {
            case 1: ["", "healthz", "metrics", "openapi.json"].contains(segments[0]) || PictureLanguage(target) != nil
            case 2: PictureLanguage(target) != nil || hasPrefetching && isPrefetch
            case 4: PictureLanguage(target) != nil
            case 3: segments[0] == "poster" && !segments[1].isEmpty && segments[2] == "info"
            default: false
            }
        guard isThere else { return nil }
        return isPrefetch ? "POST, DELETE" : "GET, HEAD"
    }
}
