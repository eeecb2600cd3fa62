import HTTPSemantics
package import HTTPTypes
package import Hummingbird
package import NIOCore

/// A JSON response that no cache may store.
package struct PrivateResponse: Sendable {
    package static let cacheControl = "private, no-store"

    package let bytes: ByteBuffer
    /// The `Set-Cookie` field; `nil` omits it.
    package var cookie: String?

    /// - Throws: `EncodingError` for numbers that JSON cannot represent.
    package init(_ value: some Encodable) throws {
        self.bytes = ByteBuffer(bytes: try EncodedResponse.jsonBytes(of: value))
    }

    package func response(_ status: HTTPResponse.Status = .ok) -> Response {
        var headers = Self.headers(cookie: self.cookie)
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: self.bytes))
    }

    /// Returns a 204.
    package static func empty(cookie: String? = nil) -> Response {
        var response = Response(status: .noContent, headers: Self.headers(cookie: cookie))
        response.headers[.contentLength] = nil  // a 204 has none (RFC 9110, 8.6)
        return response
    }

    private static func headers(cookie: String?) -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: Self.cacheControl, .contentTypeOptions: "nosniff"]
        // For scripts of other origins with their own token; without Allow-Credentials, browsers hide responses to
        // cookies from them.
        headers.letScriptsRead()
        headers[.setCookie] = cookie
        return headers
    }
}
