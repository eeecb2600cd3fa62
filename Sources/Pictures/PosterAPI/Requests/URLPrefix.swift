public import HTTPSemantics

/// Which URLs anybody may have pictures made of: those of one origin below one path.
///
/// Not a prefix of characters: `https://good.example` allows neither `https://good.example.evil.org` nor
/// `https://good.example@evil.org`, and `/posters` not `/posters-of-others`.
public struct URLPrefix: Hashable, Sendable {
    /// How many there may be.
    public static let countLimit = 256

    /// What a URL that may have a query ends in.
    private static let queryMark = "?"

    private let origin: String
    /// Without a slash at its end; empty for all paths.
    private let path: String
    /// Whether the URLs may have a query. Most servers give the same picture whatever it is, and each would be fetched and
    /// kept as a picture of its own.
    private let allowsQueries: Bool

    /// - Parameter text: `https://host[:port][/path][?]`; only with the question mark do URLs below it have queries.
    /// - Throws: ``RemoteURL/Malformed``.
    public init(_ text: String) throws(RemoteURL.Malformed) {
        let url = try RemoteURL(text)
        self.allowsQueries = url.query == Self.queryMark
        guard url.query.isEmpty || self.allowsQueries else { throw RemoteURL.Malformed(reason: "has a query") }
        self.origin = url.origin
        self.path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    }

    /// Whether `url` is below this.
    public func allows(_ url: RemoteURL) -> Bool {
        guard url.query.isEmpty || self.allowsQueries, url.origin == self.origin,
            url.path.utf8.starts(with: self.path.utf8)
        else { return false }
        let rest = url.path.utf8.dropFirst(self.path.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}
