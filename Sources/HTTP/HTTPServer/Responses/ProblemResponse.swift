package import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore

extension Problem {
    /// Returns the problem as an HTTP response. Caches must not store errors, which may be resolved a second later.
    ///
    /// - Parameter requestID: Identifies the request in logs.
    func response(allow: String? = nil, requestID: RequestID? = nil) -> Response {
        Response(
            status: .init(code: self.kind.status), headers: self.fields(allow: allow, requestID: requestID),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: self.json(requestID: requestID?.description))))
    }

    /// The header fields, without the body's length.
    func fields(allow: String? = nil, requestID: RequestID? = nil) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store", .contentTypeOptions: "nosniff",
        ]
        headers[.allow] = allow ?? self.allow
        // Lets scripts of other origins read the problem, not only that there is one.
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
    /// For everything but pictures: a browser that displays the response loads, runs and frames nothing.
    private static let contentSecurityPolicy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Adds the security fields for browsers; existing ones are kept.
    mutating func addSecurityFields(status: HTTPResponse.Status) {
        self.add("nosniff", as: .contentTypeOptions)
        // A 304 omits the fields below: the client's stored response has them.
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
    static let unexpected = Problem(.internalError, "the request failed with an internal error; the log has the cause")

    /// The problem of a disabled source, with the option that enables it, on the command line and in the environment.
    ///
    /// - Parameter option: For example `--tmdb-key`; empty if there is none.
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
