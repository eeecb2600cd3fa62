import HTTPSemantics
import HTTPTypes
import Hummingbird
package import OpenAPI
import Synchronization

/// The methods of the registered resources. Thread-safe.
package final class MethodTable: Sendable {
    /// A path template and the methods of its resource.
    private struct Resource {
        /// Segments of the template; `nil` matches any text.
        let segments: [String?]
        var methods: [String]
        /// Methods available to scripts of other origins: all but the operator's.
        var scriptMethods: [String] = []

        func matches(_ path: [Substring]) -> Bool {
            self.segments.count == path.count
                && zip(self.segments, path).allSatisfy { template, segment in
                    template.map { $0[...] == segment } ?? !segment.isEmpty
                }
        }
    }

    private struct Table {
        /// In matching order.
        var resources: [Resource] = []
        /// The first segments of templates that begin with a literal.
        var starts: Set<String> = []
    }

    private let table = Mutex(Table())
    private static let order = ["GET", "HEAD", "POST", "PUT", "DELETE"]

    package init() {}

    /// Registers the routes. Middleware is created before the routes: it receives the table first, which is filled
    /// last.
    ///
    /// - Parameter forAdmins: Routes that scripts of other origins may not use.
    package func learn(_ routes: some Sequence<APIDescription.Route>, forAdmins: Set<APIDescription.Route>) {
        var bySegments: [[String?]: Resource] = [:]
        for route in routes {
            let segments = route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { $0.hasPrefix("{") ? nil : String($0) }
            // A path that is only a prefix of routes has no handler; a wildcard beside it must not match.
            for count in 1...segments.count {
                let start = Array(segments.prefix(count))
                if bySegments[start] == nil { bySegments[start] = Resource(segments: start, methods: []) }
            }
            let methods = route.method == "GET" ? ["GET", "HEAD"] : [route.method]
            bySegments[segments]?.methods += methods
            if !forAdmins.contains(route) { bySegments[segments]?.scriptMethods += methods }
        }
        // The router's order: literals before wildcards, the first segment first.
        let resources = bySegments.values.sorted { left, right in
            left.segments.map { $0 == nil ? 1 : 0 }.lexicographicallyPrecedes(
                right.segments.map { $0 == nil ? 1 : 0 })
        }
        let starts = Set(resources.compactMap { $0.segments.first.flatMap(\.self) })
        self.table.withLock { $0 = Table(resources: resources, starts: starts) }
    }

    /// The methods of the resource at `target`, separated by commas, without `OPTIONS`; `nil` if there is none.
    func methods(of target: RequestTarget) -> String? {
        self.resource(at: target).map { Self.list($0.methods) }
    }

    /// The subset of ``methods(of:)`` for scripts of other origins; empty if there is none.
    func scriptMethods(of target: RequestTarget) -> String {
        self.resource(at: target).map { Self.list($0.scriptMethods) } ?? ""
    }

    private func resource(at target: RequestTarget) -> Resource? {
        let segments = target.segments
        let table = self.table.withLock { $0 }
        // The router does not return from a literal first segment to a wildcard.
        let isLiteral = segments.first.map { table.starts.contains(String($0)) } ?? false
        let resource = table.resources.first { resource in
            resource.matches(segments) && !(isLiteral && resource.segments.first == .some(nil))
        }
        return resource.flatMap { $0.methods.isEmpty ? nil : $0 }
    }

    private static func list(_ methods: [String]) -> String {
        Self.order.filter(methods.contains).joined(separator: ", ")
    }
}

/// Responses to `OPTIONS`: the methods of a resource (RFC 9110, 9.3.7), and CORS preflights for scripts of other
/// origins (Fetch, CORS-preflight).
enum OptionsResponse {
    /// How long browsers may cache a preflight, in seconds: a day, which most of them shorten.
    private static let maxAgeSeconds = 86_400
    /// The methods for a request without a particular resource.
    static let methodsOfAll = "GET, HEAD"
    /// Headers that scripts may send in addition to the CORS-safelisted ones.
    private static let allowedHeaders =
        "Accept, Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, Traceparent, "
        + "X-Naver-Client-Id, X-Naver-Client-Secret, X-Request-Id"

    /// - Parameters:
    ///   - methods: Separated by commas, without `OPTIONS`.
    ///   - scriptMethods: The subset for scripts of other origins, with a token but never with a cookie; empty if none.
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
