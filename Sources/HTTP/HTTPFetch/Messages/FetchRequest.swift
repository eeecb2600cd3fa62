public import Flights

/// What is asked of whom.
///
/// Printing one shows the names of the credentials only.
public struct FetchRequest: Sendable {
    /// An absolute `http` or `https` URL, without a user name.
    ///
    /// Spaces and non-ASCII characters are percent-encoded; a host name beyond ASCII has to be in Punycode.
    public var url: String
    /// What is asked of it, a GET by default.
    ///
    /// Anything else is sent once: it is tried again only if nothing had been sent, redirects are answers, and the connection is a new one,
    /// since nobody can tell whether a kept one that turns out to be dead had taken the request.
    public var method: FetchMethod
    /// What is sent along; nil for nothing.
    public var body: FetchBody?
    /// How many bytes of the body of a final answer with another status than 200 the sink gets too; what is beyond is cut off. 0, the default,
    /// for none.
    public var keepsErrorBodies: Int
    /// Headers to send beside `Host`, `User-Agent`, `Accept` and `Accept-Encoding`, redirects included.
    public var headers: [(name: String, value: String)]
    /// Headers that only the origin of ``url`` may see: a redirect to another scheme, host or port drops them for good.
    public var credentials: [(name: String, value: String)]
    /// Whether redirects to another scheme, host or port are not followed: for URLs that were chosen by somebody who may choose some only.
    public var staysAtOrigin: Bool
    /// Whether what the configuration allows of private addresses, hosts and networks is not for this fetch, not even
    /// ``FetchConfiguration/allowPrivateAddresses``: for URLs that strangers told.
    public var isPublicOnly: Bool
    /// Of the statuses that ``RetryPolicy`` names, those after which it is tried again; all of them by default. Failures of the connection are
    /// not among them.
    public var retriedStatuses: Set<Int>
    /// How soon it is wanted, beside the others of its origin. It may rise while the fetch waits.
    public var urgency: Urgency

    /// A request; somebody waits for it by default.
    public init(
        url: String,
        method: FetchMethod = .get,
        body: FetchBody? = nil,
        keepsErrorBodies: Int = 0,
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
        self.keepsErrorBodies = keepsErrorBodies
        self.headers = headers
        self.credentials = credentials
        self.staysAtOrigin = staysAtOrigin
        self.isPublicOnly = isPublicOnly
        self.retriedStatuses = retriedStatuses
        self.urgency = urgency
    }
}

extension FetchRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without user and query, which may hold a key.
    public var description: String {
        let names = self.credentials.map(\.name).joined(separator: ", ")
        return
            "\(self.method.rawValue) \(FetchURL.shown(self.url))\(names.isEmpty ? "" : " with credentials (\(names))")"
    }

    /// As ``description``.
    public var debugDescription: String { self.description }

    /// Without members: `dump` and the like would show them.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FetchRequest {
    /// Headers as libcurl takes them.
    ///
    /// - Throws: ``FetchError/invalidHeader(_:)`` when one would break out of its line.
    static func lines(of headers: [(name: String, value: String)]) throws(FetchError) -> [String] {
        var lines: [String] = []
        for (name, value) in headers {
            guard Self.isToken(name), Self.isFieldValue(value) else { throw .invalidHeader(name) }
            // To libcurl "Name:" means "do not send it", and "Name;" an empty value.
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines
    }

    /// RFC 9110, 5.6.2.
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

    /// No control characters but the tab (RFC 9110, 5.5).
    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }
}
