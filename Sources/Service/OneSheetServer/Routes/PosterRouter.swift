package import HTTPServer
package import Hummingbird
package import MovieAPI
package import MovieDomain
import OneSheetConfiguration
import OpenAPI
package import PosterAPI
package import PosterPipeline
import PrometheusMetrics

/// All resources of the service.
package enum PosterRouter {
    /// - Parameters:
    ///   - wall: The films that `GET /` shows.
    ///   - films: What the resources about films answer from; nil leaves them out.
    ///   - caching: How long clients and caches may keep a poster.
    ///   - policies: What may be asked for.
    ///   - links: Writes URLs of pictures.
    ///   - prefetching: The warmer, and the token that its resource requires; nil leaves the resource out, and those that
    ///     purge.
    ///   - targets: Counts requested pictures that are not known to be in memory; nil for no counting.
    ///   - clients: Identity and rate of clients.
    ///   - status: The status of the service; nil leaves out its resources.
    ///   - metrics: What `/metrics` shows.
    ///   - recorder: Records every request that a route answers; give the same to ``CacheHitHandler``.
    package static func make(
        pipeline: PosterPipeline, wall: [MovieSummary], films: MovieServices? = nil,
        caching: ClientCaching = ClientCaching(),
        policies: ReloadablePicturePolicy = ReloadablePicturePolicy(), links: PosterURLBuilder = PosterURLBuilder(),
        prefetching: (warmer: Warmer, token: AdminToken)? = nil, targets: RenderTargetCounter? = nil,
        clients: ClientPolicy = ClientPolicy(),
        status: (@Sendable () -> ServiceStatus)? = nil, metrics: MetricsPage? = nil,
        recorder: RequestRecorder? = nil
    ) -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
        let methods = MethodTable()
        // From the outermost.
        router.add(middleware: RequestMiddleware(recorder: recorder, proxies: clients.proxies))
        router.add(middleware: ResponseMiddleware(methods: methods))
        router.add(middleware: ClientMiddleware(rates: clients.rates))
        router.add(middleware: HeadLimitMiddleware())
        router.add(middleware: RequestHeadMiddleware())
        let pictures = PipelinePictureURLs(policies: policies, urls: links, pipeline: pipeline)
        CatalogueController(movies: Array(wall.prefix(CatalogueController.movieLimit)), pictures: pictures)
            .register(on: router)
        let cacheControl = CacheControl(caching)
        PosterController(pipeline: pipeline, cacheControl: cacheControl, policies: policies, targets: targets)
            .register(on: router)
        DetailsController(pipeline: pipeline, cacheControl: cacheControl, policies: policies, links: links)
            .register(on: router)
        if let films { MovieResources.register(on: router, films, pictures: pictures, publicURL: links.publicURL) }
        if let (warmer, token) = prefetching {
            PrefetchController(warmer: warmer, policies: policies).register(on: router, token: token)
            PurgeController(pipeline: pipeline).register(on: router, token: token)
        }
        if let status {
            OperationsController(
                status: status,
                metrics: metrics
                    ?? MetricsPage(
                        PrometheusRegistry(descriptions: MetricDescription.all), version: ProductVersion.current)
            )
            .register(on: router)
        }
        OpenAPIController.register(on: router, parts: .service) {
            let parser = policies.parser
            var features: Set<APIFeature> = [.versions, .ranges]
            if parser.policy.signingKeys != nil { features.insert(.signatures) }
            if parser.policy.usesHints { features.insert(.clientHints) }
            return OpenAPIController.Features(generation: parser.generation, features: features)
        }
        methods.learn(
            router.routes.map(APIDescription.Route.init),
            forAdmins: Set(APIOperation.all.filter(\.isForAdmins).map(\.route)))
        return router
    }

    /// Paths of the resources for those that watch the service.
    package static let operationsPaths = OperationsPaths.all

    /// The resources for those that watch the service, alone.
    ///
    /// - Parameters: As of ``make(pipeline:wall:films:caching:policies:links:prefetching:targets:clients:status:metrics:recorder:)``.
    package static func operations(
        status: @escaping @Sendable () -> ServiceStatus, metrics: MetricsPage, recorder: RequestRecorder? = nil
    ) -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
        let methods = MethodTable()
        router.add(middleware: RequestMiddleware(recorder: recorder))
        router.add(middleware: ResponseMiddleware(methods: methods))
        router.add(middleware: HeadLimitMiddleware())
        OperationsController(status: status, metrics: metrics).register(on: router)
        methods.learn(
            router.routes.map(APIDescription.Route.init),
            forAdmins: Set(APIOperation.all.filter(\.isForAdmins).map(\.route)))
        return router
    }
}
