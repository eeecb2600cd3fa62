/// Headers for the origin of a source; dropped when it redirects to another host.
///
/// Describes itself by names alone, so that no value gets into a log.
public struct OriginCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    private var headers: [String: [(name: String, value: String)]] = [:]
    private var templates: [String: OriginTemplate] = [:]

    /// None.
    public init() {}

    /// - Returns: false when the name or the value could not be sent as they are.
    public mutating func add(name: String, value: String, to source: String) -> Bool {
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        guard isToken, value.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else { return false }
        self.headers[source, default: []].append((name, value))
        return true
    }

    /// Restricts sources to URLs of their templates; URLs elsewhere get no headers.
    ///
    /// While origins are exchanged, a URL may be the old one's when the credentials are the new one's.
    public mutating func tie(to templates: [String: OriginTemplate]) {
        self.templates = templates
    }

    /// What goes with a request for `url`.
    func headers(for source: String, url: String) -> [(name: String, value: String)] {
        if let template = self.templates[source], !template.covers(url) { return [] }
        return self.headers[source] ?? []
    }

    /// Names of sources and headers.
    public var description: String {
        self.headers.sorted { $0.key < $1.key }.map { source, headers in
            "\(source): \(headers.map(\.name).joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["headers": self.description]) }
}
