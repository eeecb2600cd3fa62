package import HTTPServer
package import Hummingbird
package import MovieAPI
package import MovieCompatibility
package import MovieHTTP
package import MovieWeb
import OneSheetConfiguration
import OpenAPI
package import PosterAPI
package import PosterPipeline
import PrometheusMetrics

package enum PosterRouter {
    /// - Parameters:
    ///   - films: `nil` omits the resources about films.
    ///   - web: The files of the web pages about films; `nil` omits the pages.
    ///   - compatibility: The APIs in other services' formats; by default none except `/v1/search/movie.json`.
    ///   - documents: The responses of those services.
    ///   - prefetching: `nil` omits the admin routes.
    ///   - status: `nil` omits the resources about the service.
    ///   - compression: Whether JSON and HTML are compressed for clients that accept it.
    ///   - recorder: Records every request that a route answers; ``CacheHitHandler`` must use the same.
    package static func make(
        pipeline: PosterPipeline, films: MovieServices? = nil, web: WebFiles? = nil,
        compatibility: CompatibilityResources.Settings = CompatibilityResources.Settings(apis: []),
        documents: CompatibleUpstreams = CompatibleUpstreams(),
        caching: ClientCaching = ClientCaching(),
        policies: ReloadablePicturePolicy = ReloadablePicturePolicy(), links: PosterURLBuilder = PosterURLBuilder(),
        prefetching: (warmer: Warmer, token: AdminToken)? = nil, clients: ClientPolicy = ClientPolicy(),
        compression: Bool = true, status: (@Sendable () -> ServiceStatus)? = nil, metrics: MetricsPage? = nil,
        recorder: RequestRecorder? = nil
    ) -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
        let methods = MethodTable()
        let pictures = PipelinePictureURLs(policies: policies, urls: links, pipeline: pipeline)
        var website: MovieWebsite?
        if let films, let web {
            website = MovieWebsite(
                films, pictures: pictures, publicURL: links.publicURL, files: web, version: ProductVersion.current)
        }
        // In order from the outermost.
        router.add(middleware: RequestMiddleware(recorder: recorder, proxies: clients.proxies))
        router.add(middleware: ResponseMiddleware(methods: methods, pages: website?.problems))
        router.add(middleware: ClientMiddleware(rates: clients.rates))
        router.add(middleware: HeadLimitMiddleware())
        router.add(middleware: RequestHeadMiddleware())
        if compression { router.add(middleware: CompressionMiddleware()) }
        let cacheControl = CacheControl(caching)
        PosterController(pipeline: pipeline, cacheControl: cacheControl, policies: policies).register(on: router)
        DetailsController(pipeline: pipeline, cacheControl: cacheControl, policies: policies, links: links)
            .register(on: router)
        if let films {
            MovieResources.register(
                on: router, films, pictures: pictures, publicURL: links.publicURL, leadsPeople: website == nil)
            CompatibilityResources.register(
                on: router, films, pictures: pictures, publicURL: links.publicURL, upstreams: documents,
                settings: compatibility)
        }
        if let (warmer, token) = prefetching {
            PrefetchController(warmer: warmer, policies: policies).register(on: router, token: token)
            PurgeController(pipeline: pipeline, policies: policies).register(on: router, token: token)
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
        // Registered after the description, which covers resources for programs only.
        website?.register(on: router)
        methods.learn(
            router.routes.map(APIDescription.Route.init),
            forAdmins: Set(APIOperation.all.filter(\.isForAdmins).map(\.route)))
        return router
    }

    package static let operationsPaths = OperationsPaths.all

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
