package import HTTPServer
package import Hummingbird
package import MovieHTTP

/// The resources in the formats of other services.
package enum CompatibilityResources {
    /// The enabled APIs, and the accepted client keys.
    package struct Settings: Sendable {
        package var apis: Set<CompatibleAPI>
        package var keys: ClientKeys

        package init(apis: Set<CompatibleAPI> = Set(CompatibleAPI.allCases), keys: ClientKeys = .any) {
            self.apis = apis
            self.keys = keys
        }
    }

    /// Reads the files of enabled APIs, as ``register(on:_:pictures:publicURL:upstreams:settings:)`` does.
    /// - Throws: An error that describes a missing or invalid file.
    package static func checkFiles(of apis: Set<CompatibleAPI>) throws {
        if apis.contains(.tmdb) { _ = try TMDBTimeZones() }
    }

    /// Registers the enabled APIs and, always, `/v1/search/movie.json` in Naver's format.
    /// - Throws: An error that describes a missing or invalid file of an enabled API.
    package static func register(
        on router: Router<ServerRequestContext>, _ services: MovieServices, pictures: any PictureURLs,
        publicURL: PublicURL?, upstreams: CompatibleUpstreams, settings: Settings
    ) throws {
        let context = CompatibilityContext(
            useCases: MovieUseCases(services, publicURL: publicURL),
            posters: FilmPictures(services, urls: pictures), keys: settings.keys, upstreams: upstreams,
            responses: SharedResponses(lifetime: services.sharedResponseLifetime))
        NaverController(context).registerOriginal(on: router)
        for api in CompatibleAPI.allCases where settings.apis.contains(api) {
            switch api {
            case .tmdb: try TMDBCompatibility(context).register(on: router)
            case .kobis: KOBISController(context).register(on: router)
            case .itunes: ITunesController(context).register(on: router)
            case .kakao: KakaoController(context).register(on: router)
            case .naver: NaverController(context).register(on: router)
            case .omdb: OMDbController(context).register(on: router)
            case .rpdb: break  // pictures
            }
        }
    }
}
