import HTTPSemantics
package import MovieDomain

/// A request to an upstream, without credentials. Printing it shows only the method and the path.
package struct UpstreamRequest: Sendable {
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// Only ``Method/get`` can be cached and shared.
    package var method: Method
    /// The path below the base URL, with a leading slash. Characters other than letters, digits, `-`, `.`, `_`, `~` and
    /// slashes are percent-encoded; validate clients' text before adding it to a path.
    package var path: String
    /// Query parameters, encoded when sent; their order is not significant.
    package var query: [(name: String, value: String)]
    /// Secret query parameters such as a session: only sent by ``UpstreamClient/send(_:)``, never stored or printed.
    package var secrets: [(name: String, value: String)]
    package var json: [UInt8]?
    /// The language of the response, if it depends on one; part of ``cacheKey``.
    package var language: Language?
    /// The freshness lifetime unless the upstream sends one; `nil` for ``UpstreamLifetimes/fresh``.
    package var lifetime: Duration?
    /// Whether the resource always exists: a missing one is then the upstream's failure.
    package var isPermanent: Bool
    /// When the resource became final, if ever: responses from before are stale and provisional from then on.
    package var settledAt: Instant?
    /// Extracts the part of a 200's body to store and decode, for large responses; `nil` for the whole body.
    package var reduce: (@Sendable (UpstreamResponse) throws -> [UInt8])?
    /// Whether a response refuses the client's parameters. It is then decoded like a result if no stored response is
    /// usable, and cached in memory for ``UpstreamLifetimes/uncertain``. `nil` if all refusals are failures.
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
    package var description: String { "\(self.method.rawValue) \(self.path)" }
}

extension UpstreamRequest {
    /// The key of the stored response: path, sorted query and language, without secrets; differs for a reduced
    /// response.
    var cacheKey: String {
        let sorted = self.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        let part = self.reduce == nil ? "" : " reduced"
        return "\(self.path)?\(UpstreamURL.query(sorted)) \(self.language?.code ?? "")\(part)"
    }
}

/// A part of this service's key for an upstream. Printing it does not reveal the key.
package enum UpstreamCredential: Sendable {
    case query(name: String, value: String)
    /// Sent as a header, such as `Authorization`.
    case header(name: String, value: String)
}

extension UpstreamCredential: Redacted {
    package var description: String {
        switch self {
        case .query(let name, _): "a key in the parameter \(name)"
        case .header(let name, _): "a key in the header \(name)"
        }
    }
}

/// URLs of upstreams. All but unreserved characters (RFC 3986, 2.3) are percent-encoded.
package enum UpstreamURL {
    /// - Parameter base: The base URL without a trailing slash.
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
