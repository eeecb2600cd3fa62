package import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore

extension Problem {
    /// The problem as an HTTP answer. Errors are not for caches: what is wrong now may be right in a second.
    ///
    /// - Parameter requestID: By which the request is found in logs.
    func response(allow: String? = nil, requestID: RequestID? = nil) -> Response {
        Response(
            status: .init(code: self.kind.status), headers: self.fields(allow: allow, requestID: requestID),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: self.json(requestID: requestID?.description))))
    }

    /// Without the body's length.
    func fields(allow: String? = nil, requestID: RequestID? = nil) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store", .contentTypeOptions: "nosniff",
        ]
        headers[.allow] = allow ?? self.allow
        // Scripts of other origins see what is wrong, rather than that something is.
        headers.letScriptsRead()
        headers[.contentRange] = self.wholeLength.map { "bytes */\($0)" }
        // Every 401 names the authentication scheme (RFC 9110, 11.6.1).
        if self.kind.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        headers[.requestID] = requestID?.description
        headers[.retryAfter] = self.retryAfterSeconds.map(String.init)
        return headers
    }
}

extension HTTPFields {
    /// For everything that is no picture: a browser that shows it loads nothing, runs nothing and frames nothing.
    private static let contentSecurityPolicy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Adds the security fields of browsers; those that are there stay.
    mutating func addSecurityFields(status: HTTPResponse.Status) {
        self.add("nosniff", as: .contentTypeOptions)
        // A 304 is about an answer that has all of this.
        guard status != .notModified, self[.contentType]?.hasPrefix("image/") != true else { return }
        self.add(Self.contentSecurityPolicy, as: .contentSecurityPolicy)
        self.add("DENY", as: .frameOptions)
        self.add("no-referrer", as: .referrerPolicy)
    }

    private mutating func add(_ value: String, as name: HTTPField.Name) {
        if self[name] == nil { self[name] = value }
    }
}

extension Problem {
    /// A failure of this service.
    static let unexpected = Problem(.internalError, "something went wrong here; the log has the cause")

    /// Names what would switch a source on, however it is configured.
    ///
    /// - Parameter option: Such as `--tmdb-key`; empty when nothing would.
    package static func sourceOff(_ name: String, option: String) -> Problem {
        let words = option.split(separator: "-").map { $0.uppercased() }.joined(separator: "_")
        let remedy = "; \(option), or ONESHEET_\(words) in the environment, switches it on"
        return Problem(.sourceOff, "\(name) is not configured" + (option.isEmpty ? "" : remedy))
    }
}

/// An error with a problem document for clients.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
