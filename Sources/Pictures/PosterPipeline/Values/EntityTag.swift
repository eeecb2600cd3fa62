/// A strong entity tag (RFC 9110, 8.8.3): two answers with the same tag have the same bytes.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// With its quotation marks.
    public let description: String

    /// A tag made of 128 bits of a digest over `parts`.
    public init(digestOf parts: [String]) {
        // The separator occurs in no part, so different parts cannot run together to the same text.
        self.description = "\"\(String(Digest(of: parts.joined(separator: "\n")).description.prefix(32)))\""
    }

    /// The tag of an original's own bytes.
    init(original digest: Digest) {
        self.description = "\"\(String(digest.description.prefix(32)))\""
    }
}
