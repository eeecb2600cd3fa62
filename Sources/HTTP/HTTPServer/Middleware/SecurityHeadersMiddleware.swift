import HTTPSemantics
import HTTPTypes
import Hummingbird

/// Adds the security header fields of browsers to every response; a route's own fields stay.
package struct SecurityHeadersMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    package init() {}

    /// For everything that is no picture: a browser that shows it loads nothing, runs nothing and frames nothing.
    private static let contentSecurityPolicy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        Self.protect(&response.headers, status: response.status)
        return response
    }

    static func protect(_ headers: inout HTTPFields, status: HTTPResponse.Status) {
        Self.add("nosniff", to: .contentTypeOptions, of: &headers)
        // A 304 is about an answer that has all of this.
        guard status != .notModified, headers[.contentType]?.hasPrefix("image/") != true else { return }
        Self.add(Self.contentSecurityPolicy, to: .contentSecurityPolicy, of: &headers)
        Self.add("DENY", to: .frameOptions, of: &headers)
        Self.add("no-referrer", to: .referrerPolicy, of: &headers)
    }

    private static func add(_ value: String, to name: HTTPField.Name, of headers: inout HTTPFields) {
        if headers[name] == nil { headers[name] = value }
    }
}
