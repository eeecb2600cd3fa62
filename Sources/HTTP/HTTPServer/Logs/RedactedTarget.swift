import HTTPSemantics

/// A request's target as logs show it: ASCII, of limited length, and without what lets its owner in.
struct RedactedTarget {
    /// The most that is shown of a target, in bytes.
    static let lengthLimit = 2048
    /// The parameters of the signature, with which a reader of the log could repeat the request, of the token of a wish to
    /// sign in, and of sessions, names and keys in the formats of other services.
    private static let secrets = [
        "s", "request_token", "session_id", "guest_session_id", "username", "password", "api_key",
        "apikey", "key",
    ]
    /// The parameter of a remote URL, which may have a user or a secret of its own.
    private static let foreign = "url"
    /// In front of a token: a reader of the log could decide or act for a user with it.
    private static let tokens = ["/auth/approve/", "/authenticate/", "/guest_session/"]
    private static let mask = "***"
    /// In front of the URL in the id of a picture that a URL names.
    private static let urlID = "url:"

    let text: String

    /// - Parameter target: Path and query as they came.
    init(_ target: String) {
        let cut = target.utf8.prefix(Self.lengthLimit)
        let parts = cut.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var text = Self.path(parts[0])
        if parts.count > 1 {
            let pairs = parts[1].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                return switch PercentEncoding.decode(Substring(name)) {
                case let decoded? where Self.secrets.contains(decoded): Self.escaped(name) + "=" + Self.mask
                case Self.foreign: Self.escaped(name) + "=" + Self.foreignURL(pair.dropFirst(name.count + 1))
                default: Self.escaped(pair)
                }
            }
            text += "?" + pairs.joined(separator: "&")
        }
        self.text = cut.count < target.utf8.count ? text + "..." : text
    }

    /// A URL as a value, as it came, up to its query.
    private static func foreignURL(_ value: Substring.UTF8View) -> String {
        let (shown, isCut) = Self.beforeQuery(Substring(value))
        guard let url = PercentEncoding.decode(shown) else { return Self.mask }
        let start = url.firstRange(of: "//")?.upperBound ?? url.startIndex
        guard !url[start...].prefix(while: { $0 != "/" }).contains("@") else { return Self.mask }
        return Self.escaped(shown.utf8) + (isCut ? "%3F" + Self.mask : "")
    }

    /// A path, or a URL up to its query; one with a token, without that and what follows.
    private static func path(_ path: Substring.UTF8View) -> String {
        guard let mark = Self.tokens.lazy.compactMap({ Substring(path).firstRange(of: $0) }).first else {
            return Self.withoutForeignQuery(path)
        }
        return Self.withoutForeignQuery(path[..<mark.upperBound]) + Self.mask
    }

    /// A path; when it holds the id of a URL, up to the query of that.
    private static func withoutForeignQuery(_ path: Substring.UTF8View) -> String {
        guard let text = PercentEncoding.decode(Substring(path)), text.contains(Self.urlID) else {
            return Self.escaped(path)
        }
        let (shown, isCut) = Self.beforeQuery(Substring(path))
        return Self.escaped(shown.utf8) + (isCut ? "%3F" + Self.mask : "")
    }

    /// What is before a question mark, however often it was encoded.
    private static func beforeQuery(_ text: Substring) -> (shown: Substring, isCut: Bool) {
        guard let mark = text.firstRange(of: #/\?|%(?:25)*3[Ff]/#) else { return (text, false) }
        return (text[..<mark.lowerBound], true)
    }

    /// All that is not visible ASCII as percent-encoded bytes, which mean the same in a URL.
    private static func escaped(_ bytes: Substring.UTF8View) -> String {
        guard !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return String(Substring(bytes)) }
        return String(
            decoding: bytes.reduce(into: [UInt8]()) { text, byte in
                if (0x21...0x7E).contains(byte) { text.append(byte) } else { PercentEncoding.append(byte, to: &text) }
            }, as: UTF8.self)
    }
}
