import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /assets/{version}/{name}`: style sheets, scripts and icons at addresses that change with their content.
struct WebAssets: Sendable {
    struct Asset: Sendable {
        let bytes: ByteBuffer
        let type: String
        let caching: String
        let tag: EntityTag
        var policy: String?

        init(_ bytes: [UInt8], type: String, caching: String) {
            self.bytes = ByteBuffer(bytes: bytes)
            self.type = type
            self.caching = caching
            self.tag = EntityTag(digestOf: ["asset", type, String(decoding: bytes, as: UTF8.self)])
        }

        /// 200 or 304. Texts are compressed for clients that accept it.
        func response(to request: Request) -> Response {
            var headers: HTTPFields = [
                .cacheControl: self.caching, .contentTypeOptions: "nosniff", .eTag: self.tag.description,
                .crossOriginResourcePolicy: "same-origin",
            ]
            headers[.contentSecurityPolicy] = self.policy
            if !self.type.hasPrefix("image/png") { headers.offerCompression(length: self.bytes.readableBytes) }
            guard !IfNoneMatch(request.headers.combined(.ifNoneMatch)).matches(self.tag) else {
                var response = Response(status: .notModified, headers: headers)
                response.headers[.contentLength] = nil
                return response
            }
            headers[.contentType] = self.type
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: self.bytes))
        }
    }

    /// One year, the usual maximum (delta-seconds: RFC 9111, 1.2.2).
    private static let caching = "public, max-age=31536000, immutable"
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/speculationrules+json", "svg": "image/svg+xml", "png": "image/png",
    ]
    /// The service worker is served at its own address, so that its scope is the whole site.
    static let workerName = "service-worker.js"

    private let version: String
    private let assets: [String: Asset]

    init(_ files: WebFiles) {
        self.version = files.resources.version
        var assets: [String: Asset] = [:]
        for (name, bytes) in files.resources.assets where name != Self.workerName {
            guard let type = name.split(separator: ".").last.flatMap({ Self.types[String($0)] }) else { continue }
            let isSheet = name.hasSuffix(".css")
            let minified = isSheet ? Array(MinifiedCSS(String(decoding: bytes, as: UTF8.self)).description.utf8) : bytes
            assets[name] = Asset(minified, type: type, caching: Self.caching)
        }
        self.assets = assets
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/assets/:version/:name") { request, context in
            let segments = context.target.segments
            // The address may come from a page before an update, which must not receive the files of this version.
            guard segments.count == 3, segments[1] == self.version, let asset = self.assets[String(segments[2])] else {
                throw Problem(.notFound, "there is no such file in this version of the pages; load the page again")
            }
            return asset.response(to: request)
        }
    }
}
