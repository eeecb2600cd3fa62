import HTTPTypes
import Hummingbird
import NIOCore
import PosterPipeline
import Synchronization

/// `GET /openapi.json`: what the service has, for people and programs that call it.
final class DescriptionController: Sendable {
    private static let path = "/openapi.json"

    /// What is described by one policy.
    private struct Page {
        let generation: UInt64
        let body: ByteBuffer
        let tag: EntityTag
    }

    private let routes: [APIDescription.Route]
    private let policies: PicturePolicies
    private let page = Mutex<Page?>(nil)

    private init(routes: [APIDescription.Route], policies: PicturePolicies) {
        self.routes = routes
        self.policies = policies
    }

    /// Registers the resource last of all: it describes what `router` has by then, and itself.
    ///
    /// - Parameter policies: The one in force when it is asked for is described.
    static func register(on router: Router<PosterRequestContext>, policies: PicturePolicies) {
        let routes = router.routes.map(APIDescription.Route.init)
        let own = APIDescription.Route(method: "GET", path: Self.path)
        let controller = DescriptionController(routes: routes + [own], policies: policies)
        router.get(RouterPath(Self.path)) { request, _ in controller.answer(request) }
    }

    private func answer(_ request: Request) -> Response {
        let page = self.currentPage()
        var headers: HTTPFields = [
            .cacheControl: "public, max-age=60", .contentTypeOptions: "nosniff", .eTag: page.tag.description,
            .accessControlAllowOrigin: "*",
        ]
        guard !IfNoneMatch(request.headers[values: .ifNoneMatch].joined(separator: ",")).matches(page.tag) else {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: page.body))
    }

    private func currentPage() -> Page {
        let reader = self.policies.reader
        if let page = self.page.withLock({ $0 }), page.generation == reader.generation { return page }
        var features: Set<APIFeature> = [.versions, .ranges]
        if reader.policy.signingKeys != nil { features.insert(.signatures) }
        if reader.policy.usesHints { features.insert(.clientHints) }
        let json = APIDescription(routes: self.routes, features: features).json()
        let tag = EntityTag(digestOf: ["openapi", String(decoding: json, as: UTF8.self)])
        let page = Page(generation: reader.generation, body: ByteBuffer(bytes: json), tag: tag)
        self.page.withLock { $0 = page }
        return page
    }
}

extension APIDescription.Route {
    init(_ route: Router<PosterRequestContext>.RouteDescription) {
        self.init(method: route.method.rawValue, path: "\(route.path)")
    }
}
