public import Hummingbird
public import MovieDomain
public import PosterCodec
public import PosterPipeline

/// All resources of the service.
public enum PosterRouter {
    /// - Parameters:
    ///   - movies: The catalogue that `GET /` shows.
    ///   - maxAge: How long clients and caches may keep a poster.
    ///   - effort: How much decoders may leave out.
    ///   - prefetching: Makes what is prefetched, for whoever has the token; nil leaves the resource out.
    ///   - status: How the service is doing; nil leaves out the resources that tell it.
    /// - Throws: What the repository throws.
    public static func make(
        pipeline: PosterPipeline, movies: some MovieRepository, maxAge: Duration = .seconds(86_400),
        effort: RenderTarget.Effort = .balanced, prefetching: (warmer: Warmer, token: AdminToken)? = nil,
        status: (@Sendable () -> ServiceStatus)? = nil
    ) async throws -> Router<PosterRequestContext> {
        let router = Router(context: PosterRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(isResource: Self.isResource))
        CatalogueController(movies: try await movies.movies(limit: CatalogueController.movieLimit))
            .register(on: router)
        PosterController(
            pipeline: pipeline, cacheControl: "public, max-age=\(maxAge.components.seconds)", effort: effort
        ).register(on: router)
        if let (warmer, token) = prefetching {
            PrefetchController(warmer: warmer, effort: effort).register(on: router, token: token)
        }
        if let status { OperationsController(status: status).register(on: router) }
        return router
    }

    /// Whether one of the resources above is at `target`.
    private static func isResource(_ target: RequestTarget) -> Bool {
        switch target.segments.count {
        case 1: ["", "healthz", "metrics"].contains(target.segments[0])
        case 2: target.segments[0] == "poster" && !target.segments[1].isEmpty
        case 3: target.segments[0] == "poster" && !target.segments[1].isEmpty && target.segments[2] == "info"
        default: false
        }
    }
}
