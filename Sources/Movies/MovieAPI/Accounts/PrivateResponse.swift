import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import NIOCore

/// A JSON response that no cache may store.
struct PrivateResponse: Sendable {
    /// Its `Cache-Control`.
    static let cacheControl = "private, no-store"

    let bytes: ByteBuffer
    /// `Set-Cookie`; nil without.
    var cookie: String?

    /// - Throws: `EncodingError`, for numbers that JSON does not have.
    init(_ value: some Encodable) throws {
        self.bytes = ByteBuffer(bytes: try EncodedResponse.jsonBytes(of: value))
    }

    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        var headers = Self.headers(cookie: self.cookie)
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: self.bytes))
    }

    /// 204.
    static func empty(cookie: String? = nil) -> Response {
        var response = Response(status: .noContent, headers: Self.headers(cookie: cookie))
        response.headers[.contentLength] = nil  // a 204 has none (RFC 9110, 8.6)
        return response
    }

    private static func headers(cookie: String?) -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: Self.cacheControl, .contentTypeOptions: "nosniff"]
        // Scripts of other origins with a token of their own; without Allow-Credentials, browsers show them nothing that a cookie got.
        headers.letScriptsRead()
        headers[.setCookie] = cookie
        return headers
    }
}
