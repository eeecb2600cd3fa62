import Flights

/// A ``FetchRequest`` whose URL and headers have been checked. Its descriptions contain no credentials and no query.
struct ValidatedRequest: Sendable, Redacted {
    let url: FetchURL
    let method: FetchMethod
    /// nil for a request without content.
    let body: [UInt8]?
    let errorBodyLimit: Int
    let headerLines: [String]
    let credentialLines: [String]
    let staysAtOrigin: Bool
    let isPublicOnly: Bool
    let retriedStatuses: Set<Int>
    let urgency: Urgency

    /// - Throws: ``FetchError/invalidURL(_:)``, ``FetchError/forbiddenScheme(_:)`` or
    ///   ``FetchError/invalidHeader(_:)``.
    init(_ request: FetchRequest) throws(FetchError) {
        self.url = try FetchURL.requested(request.url)
        self.method = request.method
        self.body = request.body?.bytes
        self.errorBodyLimit = max(0, request.errorBodyLimit)
        let bodyHeaders = request.body.map { [(name: "Content-Type", value: $0.contentType)] } ?? []
        self.headerLines = try FetchRequest.lines(of: bodyHeaders + request.headers)
        self.credentialLines = try FetchRequest.lines(of: request.credentials)
        self.staysAtOrigin = request.staysAtOrigin
        self.isPublicOnly = request.isPublicOnly
        self.retriedStatuses = request.retriedStatuses
        self.urgency = request.urgency
    }

    var description: String { "\(self.method.rawValue) \(FetchURL.shown(self.url.text))" }
}

extension FetchRequest {
    /// Headers in libcurl's form.
    ///
    /// - Throws: ``FetchError/invalidHeader(_:)`` for a name that is no token, or a value with control characters.
    static func lines(of headers: [(name: String, value: String)]) throws(FetchError) -> [String] {
        var lines: [String] = []
        for (name, value) in headers {
            guard Self.isToken(name), Self.isFieldValue(value) else { throw .invalidHeader(name) }
            // To libcurl "Name:" means "do not send it", and "Name;" an empty value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    /// Whether a name is a token (RFC 9110, 5.6.2).
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Whether a value has no control characters but the tab (RFC 9110, 5.5).
    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }
}

/// A value with credentials, of which only the description is ever printed.
protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    var debugDescription: String { self.description }

    /// Without members, which `dump` would show.
    var customMirror: Mirror { Mirror(self, children: []) }
}
