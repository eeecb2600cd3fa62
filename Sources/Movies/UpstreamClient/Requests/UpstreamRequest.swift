import HTTPSemantics
package import MovieDomain

/// A request to an upstream, without the credentials.
///
/// Printing one shows the method and the path only.
package struct UpstreamRequest: Sendable {
    /// The methods in use.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// Only ``Method/get`` can be cached and shared.
    package var method: Method
    /// Below the base URL, with a slash at its start. All but letters, digits, `-`, `.`, `_`, `~` and slashes are
    /// percent-encoded; text of clients must be validated before it becomes a part of it.
    package var path: String
    /// Parameters, encoded when they are sent; their order is not significant.
    package var query: [(name: String, value: String)]
    /// Parameters such as a session: sent only by ``UpstreamClient/send(_:)``, and never stored or printed.
    package var secrets: [(name: String, value: String)]
    /// The JSON body; nil for none.
    package var json: [UInt8]?
    /// The language of the response, if it depends on that: a part of ``cacheKey``.
    package var language: Language?
    /// The freshness lifetime unless the upstream sends one; nil for ``UpstreamLifetimes/fresh``.
    package var lifetime: Duration?
    /// Whether the resource always exists: that there is none is a failure of the upstream then.
    package var isPermanent: Bool
    /// When the resource got its last form, if it has one: what was stored before is provisional from then on, and not fresh.
    package var settledAt: Instant?
    /// What is stored and decoded in place of the body of a 200: a small part of a large response. nil for all of it.
    package var reduce: (@Sendable (UpstreamResponse) throws -> [UInt8])?
    /// Whether a response refuses what the client asks: it is decoded like a result where no stored response can be used,
    /// and cached for ``UpstreamLifetimes/uncertain``, in memory alone. nil when all refusals are failures.
    package var isRefusal: (@Sendable (UpstreamResponse) -> Bool)?

    /// A GET by default.
    package init(
        _ path: String, method: Method = .get, query: [(name: String, value: String)] = [],
        secrets: [(name: String, value: String)] = [], json: [UInt8]? = nil, language: Language? = nil,
        lifetime: Duration? = nil, isPermanent: Bool = false,
        settledAt: Instant? = nil, reduce: (@Sendable (UpstreamResponse) throws -> [UInt8])? = nil,
        isRefusal: (@Sendable (UpstreamResponse) -> Bool)? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.secrets = secrets
        self.json = json
        self.language = language
        self.lifetime = lifetime
        self.isPermanent = isPermanent
        self.settledAt = settledAt
        self.reduce = reduce
        self.isRefusal = isRefusal
    }
}

extension UpstreamRequest: Redacted {
    /// The method and the path.
    package var description: String { "\(self.method.rawValue) \(self.path)" }
}

extension UpstreamRequest {
    /// The key of its stored response: path, sorted query and language, without secrets; another one for a part of the response.
    var cacheKey: String {
        let sorted = self.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        let part = self.reduce == nil ? "" : " reduced"
        return "\(self.path)?\(UpstreamURL.query(sorted)) \(self.language?.code ?? "")\(part)"
    }
}

/// A part of this service's key for an upstream.
///
/// Printing one does not show the key.
package enum UpstreamCredential: Sendable {
    /// As a parameter of the query.
    case query(name: String, value: String)
    /// As a header, such as `Authorization`.
    case header(name: String, value: String)
}

extension UpstreamCredential: Redacted {
    /// Where it is sent.
    package var description: String {
        switch self {
        case .query(let name, _): "a key in the parameter \(name)"
        case .header(let name, _): "a key in the header \(name)"
        }
    }
}

/// URLs of upstreams; all but unreserved characters (RFC 3986, 2.3) are percent-encoded.
package enum UpstreamURL {
    /// - Parameter base: Without a slash at its end.
    package static func text(base: String, path: String, query: [(name: String, value: String)]) -> String {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let place = base + segments.map { PercentEncoding.encode($0) }.joined(separator: "/")
        return query.isEmpty ? place : "\(place)?\(Self.query(query))"
    }

    static func query(_ items: [(name: String, value: String)]) -> String {
        items.map { "\(PercentEncoding.encode($0.name.utf8))=\(PercentEncoding.encode($0.value.utf8))" }
            .joined(separator: "&")
    }
}
