/// Where a page of approval leads back to: a page of the web, or an app that opens URLs of a scheme of its own.
public struct RedirectURI: Hashable, Sendable {
    /// What is accepted, for people.
    public static let forms =
        "a URL of http or https with a host, or of an app's own scheme, of at most \(RedirectURI.lengthLimit) visible ASCII characters"
    /// The longest, in bytes.
    public static let lengthLimit = 2048

    /// Schemes whose URLs browsers take for programs, documents or files: nobody is led there.
    private static let refusedSchemes: Set<String> = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "resource",
        "tel", "vbscript", "view-source", "ws", "wss",
    ]

    /// As it was given.
    public let text: String
    /// In lower case.
    public let scheme: String
    /// Host and port of a page of the web, in lower case; nil for an app.
    public let authority: String?

    /// - Returns: nil for what is not one of ``forms``.
    public init?(_ text: String) {
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

    /// The same with parameters more in its query.
    ///
    /// - Parameter parameters: Names and values that need no encoding.
    public func adding(_ parameters: [(name: String, value: String)]) -> String {
        let end = self.text.utf8.firstIndex(of: 35) ?? self.text.endIndex
        let start = self.text[..<end]
        let pairs = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let mark = start.utf8.contains(63) ? (start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&") : "?"
        return start + mark + pairs + self.text[end...]
    }

    /// A host, and maybe a port; no user, whose name could pass for the host.
    private static func authority(of rest: Substring) -> String? {
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }.lowercased()
        let host = authority.utf8.prefix { $0 != 58 }
        guard !host.isEmpty, authority.utf8.allSatisfy(Self.isOfAuthority) else { return nil }
        return authority
    }

    /// Visible ASCII but what no URL holds as it is (RFC 3986, 2): what browsers take for something else.
    private static func isOfURL(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// RFC 3986, 3.1, in lower case.
    private static func isOfScheme(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || "+-.".utf8.contains(byte)
    }

    private static func isOfAuthority(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || "-._:[]".utf8.contains(byte)
    }
}
