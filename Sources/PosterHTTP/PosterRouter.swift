public import Hummingbird
public import MovieDomain
public import PosterCodec
public import PosterPipeline

/// All resources of the service.
public enum PosterRouter {
    /// - Parameters:
    ///   - movies: The catalogue that `GET /` shows.
    ///   - caching: How long clients and caches may keep a poster.
    ///   - effort: How much decoders may leave out.
    ///   - links: Writes the URLs that are told.
    ///   - prefetching: Makes what is prefetched, for whoever has the token; nil leaves the resource out, and those that
    ///     purge.
    ///   - status: How the service is doing; nil leaves out the resources that tell it.
    /// - Throws: What the repository throws.
    public static func make(
        pipeline: PosterPipeline, movies: some MovieRepository, caching: ClientCaching = ClientCaching(),
        effort: RenderTarget.Effort = .balanced, links: PosterLinks = PosterLinks(),
        prefetching: (warmer: Warmer, token: AdminToken)? = nil,
        status: (@Sendable () -> ServiceStatus)? = nil
    ) async throws -> Router<PosterRequestContext> {
        let router = Router(context: PosterRequestContext.self, options: .autoGenerateHeadEndpoints)
        let hasPrefetching = prefetching != nil
        router.add(middleware: ProtectionMiddleware())
        router.add(
            middleware: ProblemMiddleware(methods: { Self.methods($0, hasPrefetching: hasPrefetching) }))
        CatalogueController(movies: try await movies.movies(limit: CatalogueController.movieLimit))
            .register(on: router)
        let cacheControl = CacheControl(caching)
        PosterController(pipeline: pipeline, cacheControl: cacheControl, effort: effort).register(on: router)
        DetailsController(pipeline: pipeline, cacheControl: cacheControl, links: links).register(on: router)
        if let (warmer, token) = prefetching {
            PrefetchController(warmer: warmer, effort: effort).register(on: router, token: token)
            PurgeController(pipeline: pipeline).register(on: router, token: token)
        }
        if let status { OperationsController(status: status).register(on: router) }
        return router
    }

    /// The methods of the resource at `target`; nil when there is none.
    private static func methods(_ target: RequestTarget, hasPrefetching: Bool) -> String? {
        let segments = target.segments
        let isThere =
            switch segments.count {
            case 1:
                ["", "healthz", "metrics"].contains(segments[0])
                    || hasPrefetching && segments[0] == PurgeController.segment
            case 2: segments[0] == "poster" && !segments[1].isEmpty
            case 3:
                segments[0] == "poster" && !segments[1].isEmpty
                    && DetailsController.segments.contains(String(segments[2]))
            default: false
            }
        guard isThere else { return nil }
        switch (hasPrefetching, segments.count, segments.last!) {
        case (true, 1, PurgeController.segment[...]): return "POST"
        case (true, 2, PrefetchController.segment[...]): return "POST, DELETE"
        case (true, 2, _): return "GET, HEAD, DELETE"
        default: return "GET, HEAD"
        }
    }
}
