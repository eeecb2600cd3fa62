import HTTPSemantics
import HTTPTypes
package import Hummingbird
import NIOCore
package import OpenAPI
import Synchronization

/// `GET /openapi.json`: the OpenAPI description of the service.
package final class OpenAPIController: Sendable {
    private static let path = "/openapi.json"

    package struct Features: Sendable {
        /// Changes whenever the features may have changed.
        let generation: UInt64
        let features: Set<APIFeature>

        package init(generation: UInt64, features: Set<APIFeature>) {
            self.generation = generation
            self.features = features
        }
    }

    private struct Page {
        let generation: UInt64
        let body: ByteBuffer
        let tag: EntityTag
    }

    private let routes: [APIDescription.Route]
    private let parts: APIParts
    private let features: @Sendable () -> Features
    private let page = Mutex<Page?>(nil)

    private init(routes: [APIDescription.Route], parts: APIParts, features: @escaping @Sendable () -> Features) {
        self.routes = routes
        self.parts = parts
        self.features = features
    }

    /// Registers the resource; call it last: it describes the routes of `router` at that time, and itself.
    ///
    /// - Parameter features: Returns the enabled features when the description is requested.
    package static func register(
        on router: Router<ServerRequestContext>, parts: APIParts, features: @escaping @Sendable () -> Features
    ) {
        let routes = router.routes.map(APIDescription.Route.init)
        let own = APIDescription.Route(method: "GET", path: Self.path)
        let controller = OpenAPIController(routes: routes + [own], parts: parts, features: features)
        router.get(RouterPath(Self.path)) { request, _ in controller.answer(request) }
    }

    private func answer(_ request: Request) -> Response {
        let page = self.currentPage()
        var headers: HTTPFields = [
            .cacheControl: "public, max-age=60", .contentTypeOptions: "nosniff", .eTag: page.tag.description,
            .accessControlAllowOrigin: "*",
        ]
        headers.offerCompression(length: page.body.readableBytes)
        guard !IfNoneMatch(request.headers[values: .ifNoneMatch].joined(separator: ",")).matches(page.tag) else {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: page.body))
    }

    private func currentPage() -> Page {
        let current = self.features()
        if let page = self.page.withLock({ $0 }), page.generation == current.generation { return page }
        let json = APIDescription(of: self.parts, routes: self.routes, features: current.features).json()
        let tag = EntityTag(digestOf: ["openapi", String(decoding: json, as: UTF8.self)])
        let page = Page(generation: current.generation, body: ByteBuffer(bytes: json), tag: tag)
        self.page.withLock { $0 = page }
        return page
    }
}

extension APIDescription.Route {
    package init(_ route: Router<ServerRequestContext>.RouteDescription) {
        self.init(method: route.method.rawValue, path: "\(route.path)")
    }
}
