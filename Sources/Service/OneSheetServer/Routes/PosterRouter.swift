package import HTTPServer
package import Hummingbird
import MovieAPI
package import MovieCompatibility
package import MovieHTTP
package import MovieWeb
import OneSheetConfiguration
import OpenAPI
package import PosterAPI
package import PosterPipeline
import PrometheusMetrics

/// The router of the service, with the settings and services of its resources.
package struct PosterRouter {
    private let pipeline: PosterPipeline
    /// `nil` omits the resources about films.
    package var films: MovieServices?
    /// The files of the web pages about films; `nil` omits the pages.
    package var web: WebFiles?
    /// The APIs in other services' formats; by default none except `/v1/search/movie.json`.
    package var compatibility = CompatibilityResources.Settings(apis: [])
    /// The behaviour of RPDB's paths, and the badges of keys without settings.
    package var rpdb = (settings: RPDBController.Settings(), badges: [BadgeSource.sample])
    /// The responses of those services.
    package var documents = CompatibleUpstreams()
    package var caching = ClientCaching()
    /// Completes requests for films' posters; ``CacheHitHandler`` must use the same.
    package var resolver = PictureResolver()
    /// Receives the IMDb titles of films, for ``resolver``.
    var requestedTitles = RequestedTitles()
    package var policies = ReloadablePicturePolicy()
    package var links = PosterURLBuilder()
    /// `nil` omits the admin routes.
    package var prefetching: (warmer: Warmer, token: AdminToken)?
    /// The operator's page, which needs ``prefetching`` and ``web``; `nil` omits it.
    package var administration: (any SiteAdministration)?
    package var clients = ClientPolicy()
    /// Whether JSON and HTML are compressed for clients that accept it.
    package var compresses = true
    /// `nil` omits the resources about the service.
    package var status: (@Sendable () -> ServiceStatus)?
    /// `nil` serves a page with descriptions of all metrics, but without values.
    package var metrics: MetricsPage?
    /// Records every request that a route answers; ``CacheHitHandler`` must use the same.
    package var recorder: RequestRecorder?

    /// Creates a router of pictures and the API's description only.
    package init(pipeline: PosterPipeline) {
        self.pipeline = pipeline
    }

    /// - Throws: An error that describes a missing or invalid file of ``compatibility``.
    package func make() throws -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
        let methods = MethodTable()
        let pictures = PipelinePictureURLs(policies: self.policies, urls: self.links, pipeline: self.pipeline)
        var website: MovieWebsite?
        if let films, let web {
            website = MovieWebsite(
                films, pictures: pictures, publicURL: self.links.publicURL, files: web, version: ProductVersion.current)
            if let administration, let (_, token) = self.prefetching {
                website?.administration = (administration, token)
            }
        }
        self.addMiddleware(to: router, methods: methods, problems: website?.problems)
        let posters = self.registerPictures(on: router, hasCards: website != nil)
        if let films {
            MovieResources.register(
                on: router, films, pictures: pictures, publicURL: self.links.publicURL, leadsPeople: website == nil)
            try CompatibilityResources.register(
                on: router, films, pictures: pictures, publicURL: self.links.publicURL, upstreams: self.documents,
                settings: self.compatibility)
            if self.compatibility.apis.contains(.rpdb) {
                RPDBController(
                    pictures: posters,
                    finder: RPDBFilms(
                        films, titles: self.requestedTitles, languages: self.policies.parser.languages),
                    keys: try self.compatibility.keys.badges(otherwise: self.rpdb.badges),
                    settings: self.rpdb.settings, publicURL: self.links.publicURL
                )
                .register(on: router)
            }
        }
        self.registerOperations(on: router)
        self.registerDescription(on: router)
        // Registered after the description, which covers resources for programs only.
        website?.register(on: router)
        methods.learn(
            router.routes.map(APIDescription.Route.init),
            forAdmins: Set(APIOperation.all.filter(\.isForAdmins).map(\.route)))
        return router
    }

    /// Adds the middleware, in order from the outermost; it applies to routes that are registered afterwards.
    private func addMiddleware(
        to router: Router<ServerRequestContext>, methods: MethodTable, problems: (any ProblemPages)?
    ) {
        router.add(middleware: RequestMiddleware(recorder: self.recorder, proxies: self.clients.proxies))
        router.add(middleware: ResponseMiddleware(methods: methods, pages: problems))
        router.add(middleware: ClientMiddleware(rates: self.clients.rates))
        router.add(middleware: HeadLimitMiddleware())
        router.add(middleware: RequestHeadMiddleware())
        if self.compresses { router.add(middleware: CompressionMiddleware()) }
    }

    private func registerPictures(on router: Router<ServerRequestContext>, hasCards: Bool) -> PosterController {
        let cacheControl = CacheControl(self.caching)
        let posters = PosterController(
            pipeline: self.pipeline, cacheControl: cacheControl, policies: self.policies, hasCards: hasCards,
            resolver: self.resolver)
        posters.register(on: router)
        DetailsController(
            pipeline: self.pipeline, cacheControl: cacheControl, policies: self.policies, links: self.links,
            resolver: self.resolver
        )
        .register(on: router)
        return posters
    }

    private func registerOperations(on router: Router<ServerRequestContext>) {
        if let (warmer, token) = self.prefetching {
            PrefetchController(warmer: warmer, policies: self.policies).register(on: router, token: token)
            PurgeController(pipeline: self.pipeline, policies: self.policies).register(on: router, token: token)
        }
        if let status {
            OperationsController(
                status: status,
                metrics: self.metrics
                    ?? MetricsPage(
                        PrometheusRegistry(descriptions: MetricDescription.all), version: ProductVersion.current)
            )
            .register(on: router)
        }
    }

    private func registerDescription(on router: Router<ServerRequestContext>) {
        let policies = self.policies
        OpenAPIController.register(on: router, parts: .service) {
            let parser = policies.parser
            var features: Set<APIFeature> = [.versions, .ranges]
            if parser.policy.signingKeys != nil { features.insert(.signatures) }
            if parser.policy.usesHints { features.insert(.clientHints) }
            return OpenAPIController.Features(generation: parser.generation, features: features)
        }
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
