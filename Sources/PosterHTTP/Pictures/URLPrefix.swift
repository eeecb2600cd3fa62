/// Which URLs anybody may have pictures made of: those of one origin below one path.
///
/// Not a prefix of characters: `https://good.example` allows neither `https://good.example.evil.org` nor
/// `https://good.example@evil.org`, and `/posters` not `/posters-of-others`.
public struct URLPrefix: Hashable, Sendable {
    /// How many there may be.
    public static let countLimit = 256

    private let origin: String
    /// Without a slash at its end; empty for all paths.
    private let path: String

    /// - Parameter text: `https://host[:port][/path]`, without a query.
    /// - Throws: ``RemoteURL/Malformed``.
    public init(_ text: String) throws(RemoteURL.Malformed) {
        let url = try RemoteURL(text)
        guard url.query.isEmpty else { throw RemoteURL.Malformed(reason: "has a query") }
        self.origin = url.origin
        self.path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    }

    /// Whether `url` is below this.
    public func allows(_ url: RemoteURL) -> Bool {
        guard url.origin == self.origin, url.path.utf8.starts(with: self.path.utf8) else { return false }
        let rest = url.path.utf8.dropFirst(self.path.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}
