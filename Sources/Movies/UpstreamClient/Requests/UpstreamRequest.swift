public import MovieDomain

/// What is asked of an upstream, without the key.
///
/// Printing one shows the method and the path only.
public struct UpstreamRequest: Sendable {
    /// What is asked for.
    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Only ``Method/get`` can be cached and shared.
    public var method: Method
    /// Below the base URL, with a slash at its start. What is no letter, digit, `-`, `.`, `_`, `~` or slash is percent-encoded; nothing in it
    /// may come from a client unread.
    public var path: String
    /// Parameters, encoded when they are sent; their order does not count.
    public var query: [(name: String, value: String)]
    /// Parameters that act for somebody, such as a session: sent only by ``UpstreamClient/send(_:)``, and never kept or shown.
    public var secrets: [(name: String, value: String)]
    /// What is sent along as JSON; nil for nothing.
    public var json: [UInt8]?
    /// The language of the answer, if it depends on that: a part of what the answer is kept under.
    public var language: Language?
    /// How long the answer is fresh, unless the upstream says something else; nil for what is usual there.
    public var lifetime: Duration?

    /// Something to ask; a GET by default.
    public init(
        _ path: String, method: Method = .get, query: [(name: String, value: String)] = [],
        secrets: [(name: String, value: String)] = [], json: [UInt8]? = nil, language: Language? = nil,
        lifetime: Duration? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.secrets = secrets
        self.json = json
        self.language = language
        self.lifetime = lifetime
    }
}

extension UpstreamRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the path.
    public var description: String { "\(self.method.rawValue) \(self.path)" }
    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members: `dump` and the like would show them.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UpstreamRequest {
    /// What its answer is kept under: path, sorted query and language, but no secret.
    var cacheKey: String {
        let sorted = self.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        return "\(self.path)?\(UpstreamURL.query(sorted)) \(self.language?.code ?? "")"
    }
}
