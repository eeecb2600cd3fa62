import HTTPSemantics
import PosterPipeline

/// A URL with a placeholder for a poster's key: `https://host/path/{key}.jpg`.
///
/// `{key}` takes one path segment; `{+key}` takes several (the names follow RFC 6570). For any key, the URL stays on
/// the template's host and below its path.
public struct OriginTemplate: Hashable, Sendable {
    /// A text that is not a template.
    public struct Malformed: Error, Hashable, Sendable {
        package let reason: String
    }

    /// Why a key does not fit a template.
    public enum KeyFailure: Error, Hashable, Sendable {
        case holdsSlash
        case dotSegment
        case emptySegment
        case tooLong(limit: Int)
    }

    /// Maximum length of a URL in bytes.
    package static let maxLength = 2048

    private let before: String
    private let after: String
    private let takesSlashes: Bool

    package init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= Self.maxLength, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else {
            throw Malformed(reason: "it must be at most \(Self.maxLength) ASCII characters without blanks")
        }
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw Malformed(reason: "it must begin with http:// or https://")
        }
        let rest = text.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/") else { throw Malformed(reason: "it has no path after the host") }
        let host = rest[..<slash]
        guard !host.isEmpty, !host.contains(where: { "{}@?#".contains($0) }) else {
            throw Malformed(reason: "its host must be a plain host name without a user or a placeholder")
        }
        guard !rest.contains("#") else { throw Malformed(reason: "it has a fragment") }
        let pieces = text.split(separator: "{", omittingEmptySubsequences: false)
        guard pieces.count == 2, let close = pieces[1].firstIndex(of: "}"),
            ["key", "+key"].contains(pieces[1][..<close]), !pieces[1][close...].dropFirst().contains("}")
        else {
            throw Malformed(reason: "it must contain {key} or {+key} exactly once")
        }
        self.before = String(pieces[0])
        self.after = String(pieces[1][close...].dropFirst())
        self.takesSlashes = pieces[1].first == "+"
    }

    package func url(for key: String) throws(KeyFailure) -> String {
        // By bytes: as a `Character`, a slash with a combining mark is not a slash.
        let segments = key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard self.takesSlashes || !PercentEncoding.mayHoldSlash(key.utf8) else { throw .holdsSlash }
        // A server or proxy would resolve these, and leave the template's path.
        guard !PercentEncoding.mayHoldDotSegment(key.utf8) else { throw .dotSegment }
        guard !segments.contains(where: \.isEmpty) else { throw .emptySegment }
        let url = self.before + segments.map { PercentEncoding.encode($0) }.joined(separator: "/") + self.after
        guard url.utf8.count <= Self.maxLength else { throw .tooLong(limit: Self.maxLength) }
        return url
    }

    /// Whether a URL is on this template's host and below its path.
    func covers(_ url: String) -> Bool {
        // By bytes, as above. The text before the key always ends behind the host.
        url.utf8.starts(with: self.before.utf8)
    }
}

/// Request headers per source, for its origin only: dropped on a redirect to another host.
///
/// Its description contains only names, so that no value gets into a log.
public struct OriginCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    private var headers: [String: [(name: String, value: String)]] = [:]
    private var templates: [String: OriginTemplate] = [:]

    package init() {}

    /// - Returns: false if the name or the value cannot be sent unchanged.
    package mutating func add(name: String, value: String, to source: String) -> Bool {
        guard FieldSyntax.isToken(name), FieldSyntax.isValue(value) else { return false }
        self.headers[source, default: []].append((name, value))
        return true
    }

    /// Restricts sources to URLs of their templates; other URLs get no headers.
    ///
    /// While an origin is being replaced, a URL of the old one may meet credentials of the new one.
    package mutating func tie(to templates: [String: OriginTemplate]) {
        self.templates = templates
    }

    package func headers(for source: String, url: String) -> [(name: String, value: String)] {
        if let template = self.templates[source], !template.covers(url) { return [] }
        return self.headers[source] ?? []
    }

    /// The names of sources and headers.
    public var description: String {
        self.headers.sorted { $0.key < $1.key }.map { source, headers in
            "\(source): \(headers.map(\.name).joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    /// Contains only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["headers": self.description]) }
}
