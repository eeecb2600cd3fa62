import HTTPTypes
import Hummingbird

/// What may be done with a resource (RFC 9110, 9.3.7), also for browsers that ask before they let scripts of other origins
/// at it (Fetch, CORS-preflight).
enum OptionsAnswer {
    /// For how long browsers may remember it, in seconds: a day, which most of them shorten.
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
