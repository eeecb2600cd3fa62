import HTTPTypes
import Hummingbird
import NIOCore
import PosterPipeline

/// `GET /openapi.json`: what the service has, for people and programs that call it.
struct DescriptionController: Sendable {
    private static let path = "/openapi.json"

    /// Registers the resource last of all: it describes what `router` has by then, and itself.
    static func register(on router: Router<PosterRequestContext>, features: Set<APIFeature>) {
        let routes = router.routes.map { APIDescription.Route(method: $0.method.rawValue, path: "\($0.path)") }
        let own = APIDescription.Route(method: "GET", path: Self.path)
        let json = APIDescription(routes: routes + [own], features: features).json()
        let tag = EntityTag(digestOf: ["openapi", String(decoding: json, as: UTF8.self)])
        let body = ByteBuffer(bytes: json)
        let head: HTTPFields = [
            .cacheControl: "public, max-age=60", .contentTypeOptions: "nosniff", .eTag: tag.description,
            .accessControlAllowOrigin: "*",
        ]
        router.get(RouterPath(Self.path)) { request, _ in
            guard !IfNoneMatch(request.headers[values: .ifNoneMatch].joined(separator: ",")).matches(tag) else {
                var response = Response(status: .notModified, headers: head)
                response.headers[.contentLength] = nil
                return response
            }
            var headers = head
            headers[.contentType] = "application/json"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
        }
    }
}
