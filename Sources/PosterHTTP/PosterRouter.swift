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
    ///   - status: How the service is doing; nil leaves out the resources that tell it.
    /// - Throws: What the repository throws.
    public static func make(
        pipeline: PosterPipeline, movies: some MovieRepository, maxAge: Duration = .seconds(86_400),
        policies: PicturePolicies = PicturePolicies(), prefetching: (warmer: Warmer, token: AdminToken)? = nil,
        status: (@Sendable () -> ServiceStatus)? = nil
    ) async throws -> Router<PosterRequestContext> {
        let router = Router(context: PosterRequestContext.self, options: .autoGenerateHeadEndpoints)
        let hasPrefetching = prefetching != nil
        router.add(
            middleware: ProblemMiddleware(methods: { Self.methods($0, hasPrefetching: hasPrefetching) }))
        CatalogueController(
            movies: try await movies.movies(limit: CatalogueController.movieLimit), policies: policies
        )
        .register(on: router)
        PosterController(
            pipeline: pipeline, cacheControl: CacheControl(maxAge: maxAge), policies: policies
        ).register(on: router)
        if let (warmer, token) = prefetching {
            PrefetchController(warmer: warmer, policies: policies).register(on: router, token: token)
        }
        if let status { OperationsController(status: status).register(on: router) }
        return router
    }

    /// The methods of the resource at `target`; nil when there is none.
    private static func methods(_ target: RequestTarget, hasPrefetching: Bool) -> String? {
        let segments = target.segments
        let isPrefetch = segments.count == 2 && segments[0] == "poster" && segments[1] == PrefetchController.segment
        let isThere =
            switch segments.count {
            case 1: ["", "healthz", "metrics"].contains(segments[0]) || PictureLanguage(target) != nil
            case 2, 4: PictureLanguage(target) != nil
            case 3: segments[0] == "poster" && !segments[1].isEmpty && segments[2] == "info"
            default: false
            }
        guard isThere else { return nil }
        return hasPrefetching && isPrefetch ? "POST, DELETE" : "GET, HEAD"
    }
}
