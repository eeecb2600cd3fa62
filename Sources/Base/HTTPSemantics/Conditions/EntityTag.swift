import Crypto

/// A strong entity tag (RFC 9110, 8.8.3): two responses with the same tag have the same bytes.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// Hexadecimal digits of a digest that make a tag: 128 bits.
    private static let digitCount = 32

    /// With its quotation marks.
    public let description: String

    /// A tag made of 128 bits of SHA-256 over `parts`, none of which holds a line feed.
    public init(digestOf parts: [String]) {
        // The separator occurs in no part, so different parts cannot run together to the same text.
        let digest = SHA256.hash(data: Array(parts.joined(separator: "\n").utf8))
        self.init(hexadecimal: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// A tag made of the first 128 bits of a digest.
    public init(hexadecimal digest: String) {
        self.description = "\"\(digest.prefix(Self.digitCount))\""
    }
}
