/// A URI that the approval page redirects to (RFC 6749, 3.1.2): a web page, or an app's own scheme.
package struct RedirectURI: Hashable, Sendable {
    /// The accepted forms, for error messages.
    package static let forms =
        "an http or https URL with a host, or a URL with an app's own scheme, of at most "
        + "\(RedirectURI.lengthLimit) visible ASCII characters"
    /// The longest URI, in bytes.
    package static let lengthLimit = 2048

    /// Schemes that browsers handle as programs, documents or files.
    private static let refusedSchemes: Set<String> = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "resource",
        "tel", "vbscript", "view-source", "ws", "wss",
    ]

    package let text: String
    /// The scheme in lower case.
    package let scheme: String
    /// Host and port of a web page in lower case; `nil` for an app's scheme.
    package let authority: String?

    /// - Returns: `nil` unless the text has one of the ``forms``.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy(Self.isOfURL),
            let colon = text.utf8.firstIndex(of: 58)
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, (97...122).contains(first), scheme.utf8.allSatisfy(Self.isOfScheme),
            !Self.refusedSchemes.contains(scheme)
        else { return nil }
        let rest = text[text.utf8.index(after: colon)...]
        if scheme == "http" || scheme == "https" {
            guard let authority = Self.authority(of: rest) else { return nil }
            self.authority = authority
        } else {
            guard !rest.isEmpty else { return nil }
            self.authority = nil
        }
        self.text = text
        self.scheme = scheme
    }

    /// Adds parameters to the URI's query.
    /// - Parameter parameters: Names and values that need no percent-encoding.
    package func adding(_ parameters: [(name: String, value: String)]) -> String {
        let end = self.text.utf8.firstIndex(of: 35) ?? self.text.endIndex
        let start = self.text[..<end]
        let pairs = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let mark = start.utf8.contains(63) ? (start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&") : "?"
        return start + mark + pairs + self.text[end...]
    }

    /// Host and optional port. Rejects user information, which users could mistake for the host.
    private static func authority(of rest: Substring) -> String? {
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }.lowercased()
        let host = authority.utf8.prefix { $0 != 58 }
        guard !host.isEmpty, authority.utf8.allSatisfy(Self.isOfAuthority) else { return nil }
        return authority
    }

    /// Visible ASCII without the characters that RFC 3986, 2 excludes and browsers reinterpret.
    private static func isOfURL(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// RFC 3986, 3.1; expects lower case.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
    }

    private static func isOfAuthority(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || "-._:[]".utf8.contains(byte)
    }
}
