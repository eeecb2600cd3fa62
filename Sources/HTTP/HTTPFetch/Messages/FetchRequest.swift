public import Flights

/// A request, with its limits and urgency. Its descriptions contain no credentials and no query.
public struct FetchRequest: Sendable {
    /// An absolute `http` or `https` URL, without a user name.
    ///
    /// Spaces and non-ASCII characters are percent-encoded; a host name beyond ASCII has to be in Punycode.
    public var url: String
    /// `GET` by default.
    ///
    /// Other methods are sent once: retried only if nothing was sent, without following redirects, and over a new connection,
    /// because a pooled one that turns out to be dead may have delivered the request.
    public var method: FetchMethod
    /// The content; nil for none.
    public var body: FetchBody?
    /// The most bytes of the body that the sink gets of a final response with a status other than 200; the rest is cut off.
    /// 0, the default, for none.
    public var errorBodyLimit: Int
    /// Headers in addition to `Host`, `User-Agent`, `Accept` and `Accept-Encoding`, also sent after redirects.
    public var headers: [(name: String, value: String)]
    /// Headers for the origin of ``url`` only: a redirect to another scheme, host or port drops them for good.
    public var credentials: [(name: String, value: String)]
    /// Whether redirects to another scheme, host or port are refused: for URLs that clients chose within an allowed set.
    public var staysAtOrigin: Bool
    /// Whether only public addresses are connected to, even if the configuration allows private ones, hosts or networks: for
    /// URLs from untrusted sources.
    public var isPublicOnly: Bool
    /// The statuses that are retried, of those that ``RetryPolicy`` names; all by default. Failed connections are retried
    /// regardless.
    public var retriedStatuses: Set<Int>
    /// The priority among fetches from the same origin. It may rise while the fetch waits.
    public var urgency: Urgency

    /// A request, by default a `GET` that a client waits for.
    public init(
        url: String,
        method: FetchMethod = .get,
        body: FetchBody? = nil,
        errorBodyLimit: Int = 0,
        headers: [(name: String, value: String)] = [],
        credentials: [(name: String, value: String)] = [],
        staysAtOrigin: Bool = false,
        isPublicOnly: Bool = false,
        retriedStatuses: Set<Int> = [429, 500, 502, 503, 504],
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
        self.urgency = urgency
    }
}

extension FetchRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the URL without user and query, and the names of the credentials.
    public var description: String {
        let names = self.credentials.map(\.name).joined(separator: ", ")
        return
            "\(self.method.rawValue) \(FetchURL.shown(self.url))\(names.isEmpty ? "" : " with credentials (\(names))")"
    }

    /// As ``description``.
    public var debugDescription: String { self.description }

    /// Without members, which `dump` would show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A request method.
public enum FetchMethod: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// Whether sending it again is harmless. Only then are redirects followed, failures retried and bodies resumed.
    var isRepeatable: Bool { self == .get }
}

/// The content of a request.
public struct FetchBody: Sendable, Hashable {
    /// The whole content.
    public var bytes: [UInt8]
    /// The media type with its parameters.
    public var contentType: String

    /// Content of a media type.
    public init(_ bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
