package import Flights
import HTTPSemantics

/// A request, with its limits and urgency. Its descriptions contain no credentials and no query.
public struct FetchRequest: Sendable {
    /// An absolute `http` or `https` URL, without a user name.
    ///
    /// Spaces and non-ASCII characters are percent-encoded; a host name beyond ASCII has to be in Punycode.
    package var url: String
    /// `GET` by default.
    ///
    /// Other methods are retried only if nothing was sent; they follow no redirects, and use a new connection, because
    /// a pooled one that turns out to be dead may have delivered the request.
    package var method: FetchMethod
    package var body: FetchBody?
    /// Maximum number of bytes that the sink receives of a final response with a status other than 200; the rest is cut
    /// off. 0, the default, discards these bodies.
    package var errorBodyLimit: Int
    /// Headers in addition to `Host`, `User-Agent`, `Accept` and `Accept-Encoding`, also sent after redirects.
    package var headers: [(name: String, value: String)]
    /// Headers for the origin of ``url`` only: a redirect to another scheme, host or port drops them for good.
    package var credentials: [(name: String, value: String)]
    /// Whether redirects to another scheme, host or port are refused: for URLs that clients chose within an allowed set.
    package var staysAtOrigin: Bool
    /// Whether only public addresses are connected to, even if the configuration allows private ones: for URLs from
    /// untrusted sources.
    package var isPublicOnly: Bool
    /// The subset of ``RetryPolicy``'s statuses that is retried; all by default. Failed connections are retried
    /// regardless.
    package var retriedStatuses: Set<Int>
    /// The name prefix, in lower case, of response fields to add to ``FetchResponseHead/keptFields``; `nil` adds none.
    /// Bounded by ``FetchConfiguration/maxHeaderBytes``.
    package var keptFieldPrefix: String?
    /// Priority among fetches from the same origin. It may rise while the fetch waits.
    package var urgency: Urgency

    package init(
        url: String,
        method: FetchMethod = .get,
        body: FetchBody? = nil,
        errorBodyLimit: Int = 0,
        headers: [(name: String, value: String)] = [],
        credentials: [(name: String, value: String)] = [],
        staysAtOrigin: Bool = false,
        isPublicOnly: Bool = false,
        retriedStatuses: Set<Int> = [429, 500, 502, 503, 504],
        keptFieldPrefix: String? = nil,
        urgency: Urgency = Urgency(.interactive)
    ) {
        self.url = url
        self.method = method
        self.body = body
        self.errorBodyLimit = errorBodyLimit
        self.headers = headers
        self.credentials = credentials
        self.staysAtOrigin = staysAtOrigin
        self.isPublicOnly = isPublicOnly
        self.retriedStatuses = retriedStatuses
        self.keptFieldPrefix = keptFieldPrefix
        self.urgency = urgency
    }
}

extension FetchRequest: Redacted {
    /// The method, the URL without user and query, and the names of the credentials.
    public var description: String {
        let names = self.credentials.map(\.name).joined(separator: ", ")
        return
            "\(self.method.rawValue) \(FetchURL.shown(self.url))\(names.isEmpty ? "" : " with credentials (\(names))")"
    }
}

/// A request method.
public enum FetchMethod: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// Whether repeating the request is harmless. Only then are redirects followed, failures retried and bodies
    /// resumed.
    var isRepeatable: Bool { self == .get }
}

/// The content of a request.
public struct FetchBody: Sendable, Hashable {
    package var bytes: [UInt8]
    package var contentType: String

    package init(_ bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}

/// A ``FetchRequest`` with a checked URL and checked headers. Its descriptions contain no credentials and no query.
@dynamicMemberLookup
struct ValidatedRequest: Sendable, Redacted {
    private let request: FetchRequest
    let url: FetchURL
    let headerLines: [String]
    let credentialLines: [String]

    /// - Throws: ``FetchError/invalidURL(_:)``, ``FetchError/forbiddenScheme(_:)`` or
    ///   ``FetchError/invalidHeader(_:)``.
    init(_ request: FetchRequest) throws(FetchError) {
        self.request = request
        self.url = try FetchURL.requested(request.url)
        let bodyHeaders = request.body.map { [(name: "Content-Type", value: $0.contentType)] } ?? []
        self.headerLines = try Self.lines(of: bodyHeaders + request.headers)
        self.credentialLines = try Self.lines(of: request.credentials)
    }

    subscript<Value>(dynamicMember member: KeyPath<FetchRequest, Value>) -> Value { self.request[keyPath: member] }

    var description: String { "\(self.method.rawValue) \(FetchURL.shown(self.url.text))" }

    /// Formats headers for libcurl.
    /// - Throws: ``FetchError/invalidHeader(_:)`` if a name is not a token, or a value contains control characters.
    private static func lines(of headers: [(name: String, value: String)]) throws(FetchError) -> [String] {
        var lines: [String] = []
        for (name, value) in headers {
            guard FieldSyntax.isToken(name), FieldSyntax.isValue(value) else { throw .invalidHeader(name) }
            // To libcurl "Name:" means "do not send it", and "Name;" an empty value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }
}

/// A value with credentials that has descriptions safe to print.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// Same as `description`.
    public var debugDescription: String { self.description }

    /// No children: `dump` would show the credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
