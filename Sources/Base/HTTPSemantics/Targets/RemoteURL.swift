/// The URL of a remote picture in its one normal form, so that nothing is allowed under one spelling and fetched under
/// another (RFC 3986, 6.2.2 and 6.2.3).
///
/// Strict where readers of URLs are known to differ: users, fragments, backslashes, control characters and dot segments
/// are refused in whatever encoding, not repaired.
public struct RemoteURL: Hashable, Sendable {
    /// Why a text is no such URL.
    public struct Malformed: Error, Hashable, Sendable {
        /// A clause that says what is wrong.
        public let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// The longest, in bytes, as it is written and in its normal form.
    public static let maxLength = 2048

    /// `https://host[:port]`: in lower case, without the scheme's own port.
    public let origin: String
    /// With its leading slash. What needs no encoding has none, and the rest has upper-case digits.
    public let path: String
    /// With its question mark; empty without one.
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

    /// Encodes what must be, decodes what need not be.
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

    /// Unreserved, or with a meaning of its own in a path or a query (RFC 3986, 3.3 and 3.4).
    private static func isAllowed(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "/?:@!$&'()*+,;=".utf8.contains(byte)
    }
}
