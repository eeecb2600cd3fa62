/// The URL of a remote picture in a single normal form, so that no URL is allowed under one spelling and fetched under
/// another (RFC 3986, 6.2.2 and 6.2.3).
///
/// Strict where URL parsers are known to differ: users, fragments, backslashes, control characters and dot segments are
/// rejected in any encoding, not repaired.
public struct RemoteURL: Hashable, Sendable {
    /// The reason why a text is rejected.
    public struct Malformed: Error, Hashable, Sendable {
        /// A clause that names the error.
        public let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// The maximum length in bytes, both as written and in normal form.
    public static let maxLength = 2048

    /// `https://host[:port]` in lower case, without the scheme's default port.
    public let origin: String
    /// The path with its leading slash. Percent-encoded only where necessary, with upper-case digits.
    public let path: String
    /// The query with its question mark; empty without a query.
    public let query: String

    /// The whole URL.
    public var text: String { self.origin + self.path + self.query }

    /// - Throws: ``Malformed``.
    public init(_ text: String) throws(Malformed) {
        guard text.utf8.count <= Self.maxLength else {
            throw Malformed(reason: "is longer than \(Self.maxLength) bytes")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Malformed(reason: "holds control characters")
        }
        guard !text.utf8.contains(UInt8(ascii: "\\")) else { throw Malformed(reason: "holds a backslash") }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw Malformed(reason: "has a fragment") }
        guard let scheme = ["http://", "https://"].first(where: { text.prefix($0.count).lowercased() == $0 }) else {
            throw Malformed(reason: "does not begin with http:// or https://")
        }
        let rest = Substring(text.utf8.dropFirst(scheme.utf8.count))
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        self.origin = scheme + (try URLAuthority(rest[..<end], isTLS: scheme == "https://").text)
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        let path = try Self.normalised(rest[end..<mark])
        guard !PercentEncoding.mayHoldDotSegment(path.utf8) else {
            throw Malformed(
                reason: "holds the path segment '.' or '..', or is percent-encoded more than "
                    + "\(PercentEncoding.decodingLimit) times")
        }
        self.path = path.isEmpty ? "/" : path
        self.query = try Self.normalised(rest[mark...])
        guard self.text.utf8.count <= Self.maxLength else {
            throw Malformed(reason: "is longer than \(Self.maxLength) bytes")
        }
    }

    /// Encodes where necessary, and decodes unreserved characters.
    private static func normalised(_ text: Substring) throws(Malformed) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            guard let (byte, wasEncoded) = PercentEncoding.popDecoded(&rest) else {
                throw Malformed(reason: "holds malformed percent-encoding")
            }
            guard !wasEncoded || byte >= 0x20 && byte != 0x7F else {
                throw Malformed(reason: "holds control characters")
            }
            if wasEncoded ? PercentEncoding.isUnreserved(byte) : Self.isAllowed(byte) {
                bytes.append(byte)
            } else {
                PercentEncoding.append(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Unreserved characters, and characters with a meaning in a path or a query (RFC 3986, 3.3 and 3.4).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "/?:@!$&'()*+,;=".utf8.contains(byte)
    }
}
