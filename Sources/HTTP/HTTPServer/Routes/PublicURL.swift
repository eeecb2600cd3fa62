import HTTPSemantics

/// The server's URL for clients: `https://images.example.org`, or with a path in front of the server's own.
package struct PublicURL: Hashable, Sendable {
    /// The accepted forms, for error messages.
    package static let forms =
        "http:// or https://, a host, optionally a port and a path, such as https://images.example.org"
    /// Maximum length in bytes.
    private static let lengthLimit = 512

    /// The URL without trailing slashes.
    package let text: String

    /// - Returns: `nil` if `text` is not one of ``forms``.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit,
            let scheme = ["https://", "http://"].first(where: text.lowercased().hasPrefix)
        else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let host = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !host.isEmpty, host.first != UInt8(ascii: ":"), host.allSatisfy(Self.isOfHost),
            rest.dropFirst(host.count).allSatisfy({ Self.isOfHost($0) || Self.pathBytes.contains($0) })
        else { return nil }
        var end = text[...]
        while end.hasSuffix("/") { end.removeLast() }
        self.text = String(end)
    }

    private static let pathBytes = Set("/_~%".utf8)

    /// Whether a byte is a letter, digit, hyphen or dot, or a bracket or colon of IPv6 addresses and ports.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-.:[]".utf8.contains(byte)
    }
}

extension Optional where Wrapped == PublicURL {
    /// The URL of a resource; relative to the server if no public URL is configured.
    ///
    /// - Parameter target: Path and query.
    package func address(of target: String) -> String { (self?.text ?? "") + target }
}
