import HTTPSemantics
import HTTPTypes
import Hummingbird
package import OpenAPI
import Synchronization

/// Which methods the resources have, by what is registered. Safe from any thread.
package final class MethodTable: Sendable {
    /// One template and all that can be done with what it is of.
    private struct Resource {
        /// nil for whatever stands there.
        let segments: [String?]
        var methods: [String]
        /// Those that scripts of other origins may use: all but the operator's.
        var scriptMethods: [String] = []

        func matches(_ path: [Substring]) -> Bool {
            self.segments.count == path.count
                && zip(self.segments, path).allSatisfy { template, segment in
                    template.map { $0[...] == segment } ?? !segment.isEmpty
                }
        }
    }

    /// In the order in which they are tried.
    private let resources = Mutex<[Resource]>([])
    private static let order = ["GET", "HEAD", "POST", "PUT", "DELETE"]

    package init() {}

    /// - Parameter forAdmins: Those that scripts of other origins may not use.
    ///
    /// Middleware is there before the routes are: it gets the table first, and the table gets them last.
    package func learn(_ routes: some Sequence<APIDescription.Route>, forAdmins: Set<APIDescription.Route>) {
        var bySegments: [[String?]: Resource] = [:]
        for route in routes {
            let segments = route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { $0.hasPrefix("{") ? nil : String($0) }
            // Where a path only leads on to others, the router finds nothing, rather than what may be anything.
            for count in 1...segments.count {
                let start = Array(segments.prefix(count))
                if bySegments[start] == nil { bySegments[start] = Resource(segments: start, methods: []) }
            }
            let methods = route.method == "GET" ? ["GET", "HEAD"] : [route.method]
            bySegments[segments]?.methods += methods
            if !forAdmins.contains(route) { bySegments[segments]?.scriptMethods += methods }
        }
        // As the router does it: what is named goes before what may be anything, the first segment first.
        let resources = bySegments.values.sorted { left, right in
            left.segments.map { $0 == nil ? 1 : 0 }.lexicographicallyPrecedes(
                right.segments.map { $0 == nil ? 1 : 0 })
        }
        self.resources.withLock { $0 = resources }
    }

    /// The methods of the resource at `target`, separated by commas, without `OPTIONS`; nil when there is none.
    func methods(of target: RequestTarget) -> String? {
        self.resource(at: target).map { Self.list($0.methods) }
    }

    /// Those of ``methods(of:)`` that scripts of other origins may use; empty for none.
    func scriptMethods(of target: RequestTarget) -> String {
        self.resource(at: target).map { Self.list($0.scriptMethods) } ?? ""
    }

    private func resource(at target: RequestTarget) -> Resource? {
        let segments = target.segments
        let resource = self.resources.withLock { $0 }.first { $0.matches(segments) }
        return resource.flatMap { $0.methods.isEmpty ? nil : $0 }
    }

    private static func list(_ methods: [String]) -> String {
        Self.order.filter(methods.contains).joined(separator: ", ")
    }
}

/// Responses to `OPTIONS`: the methods of a resource (RFC 9110, 9.3.7), and CORS preflights of scripts of other origins
/// (Fetch, CORS-preflight).
enum OptionsResponse {
    /// For how long browsers may cache it, in seconds: a day, which most of them shorten.
    private static let maxAgeSeconds = 86_400
    /// Of a request for no resource in particular.
    static let methodsOfAll = "GET, HEAD"
    /// What scripts may send beside what needs no permission.
    private static let allowedHeaders =
        "Accept, Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, Traceparent, "
        + "X-Naver-Client-Id, X-Naver-Client-Secret, X-Request-Id"

    /// - Parameters:
    ///   - methods: Without `OPTIONS`, separated by commas.
    ///   - scriptMethods: Those of them that scripts of other origins may use, with a token but never with a cookie; empty for none.
    static func response(methods: String, forScripts scriptMethods: String) -> Response {
        var headers: HTTPFields = [.allow: methods + ", OPTIONS", .cacheControl: "no-store"]
        if !scriptMethods.isEmpty {
            headers[.accessControlAllowOrigin] = "*"
            headers[.accessControlAllowMethods] = scriptMethods
            headers[.accessControlAllowHeaders] = Self.allowedHeaders
            headers[.accessControlMaxAge] = String(Self.maxAgeSeconds)
        }
        var response = Response(status: .noContent, headers: headers)
        response.headers[.contentLength] = nil  // a 204 has none (RFC 9110, 8.6)
        return response
    }
}
