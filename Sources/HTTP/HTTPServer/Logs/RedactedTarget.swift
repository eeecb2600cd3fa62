import HTTPSemantics

/// A request's target for logs: ASCII, of limited length, and without secrets.
struct RedactedTarget {
    /// Maximum number of bytes of a target that are shown.
    static let lengthLimit = 2048
    /// Secret parameters: the signature, with which a reader of the log could repeat the request; the token of a
    /// sign-in request; and sessions, names and keys in the formats of other services.
    private static let secrets = [
        "s", "request_token", "session_id", "guest_session_id", "username", "password", "api_key",
        "apikey", "key",
    ]
    /// The parameter with a remote URL, which may contain a user name or a secret of its own.
    private static let foreign = "url"
    /// Path prefixes of tokens, with which a reader of the log could decide or act for a user.
    private static let tokens = ["/auth/approve/", "/authenticate/", "/guest_session/"]
    /// The sites of ids in RPDB's paths, which begin with a client's key.
    private static let registries: Set<String> = ["imdb", "tmdb", "tvdb"]
    /// The names of RPDB's resources about a key, in lower case.
    private static let questions: Set<String> = ["isvalid", "requests"]
    private static let mask = "***"
    /// Prefix of the URL in the id of a picture at a remote URL.
    private static let urlID = "url:"

    let text: String

    /// - Parameter target: Path and query as received.
    init(_ target: String) {
        let cut = target.utf8.prefix(Self.lengthLimit)
        let parts = cut.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var text = Self.path(parts[0])
        if parts.count > 1 {
            let pairs = parts[1].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair in
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                return switch PercentEncoding.decode(Substring(name)) {
                case let decoded? where Self.secrets.contains(decoded): PercentEncoding.visible(name) + "=" + Self.mask
                case Self.foreign: PercentEncoding.visible(name) + "=" + Self.foreignURL(pair.dropFirst(name.count + 1))
                default: PercentEncoding.visible(pair)
                }
            }
            text += "?" + pairs.joined(separator: "&")
        }
        self.text = cut.count < target.utf8.count ? text + "..." : text
    }

    /// A URL in a parameter's value, as received, up to its query.
    private static func foreignURL(_ value: Substring.UTF8View) -> String {
        let (shown, isCut) = Self.beforeQuery(Substring(value))
        guard let url = PercentEncoding.decode(shown) else { return Self.mask }
        // By bytes: an `@` with a combining mark is another character.
        let bytes = url.utf8
        let start = bytes.firstRange(of: "//".utf8)?.upperBound ?? bytes.startIndex
        let authority = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
        guard !authority.contains(UInt8(ascii: "@")) else { return Self.mask }
        return PercentEncoding.visible(shown.utf8) + (isCut ? "%3F" + Self.mask : "")
    }

    /// A path, or a URL up to its query; truncated before a token.
    private static func path(_ path: Substring.UTF8View) -> String {
        if let key = Self.clientKey(in: path) {
            return PercentEncoding.visible(path[..<key.startIndex]) + Self.mask
                + Self.withoutForeignQuery(path[key.endIndex...])
        }
        guard let mark = Self.tokens.lazy.compactMap({ Substring(path).firstRange(of: $0) }).first else {
            return Self.withoutForeignQuery(path)
        }
        return Self.withoutForeignQuery(path[..<mark.upperBound]) + Self.mask
    }

    /// The client's key in a path of RPDB's, which may be at the root; `nil` in other paths.
    private static func clientKey(in path: Substring.UTF8View) -> Substring.UTF8View? {
        let segments = path.split(separator: UInt8(ascii: "/"))
        // A prefix suffices: no path has the key behind it.
        let names = segments.prefix(2).map { PercentEncoding.decode(Substring($0)) }
        if names.first == "compat" {
            return names.last == "rpdb" && segments.count > 2 ? segments[2] : nil
        }
        // Also of paths that are nearly RPDB's: they are answered by 404, and the key is in them.
        guard names.count == 2, let second = names[1]?.lowercased() else { return nil }
        let isKey = Self.questions.contains(second) || segments.count > 2 && Self.registries.contains(second)
        return isKey ? segments[0] : nil
    }

    /// A path; if it contains the id of a URL, up to the query of that URL.
    private static func withoutForeignQuery(_ path: Substring.UTF8View) -> String {
        // A text that cannot be decoded may have one too.
        guard PercentEncoding.decode(Substring(path))?.contains(Self.urlID) ?? true else {
            return PercentEncoding.visible(path)
        }
        let (shown, isCut) = Self.beforeQuery(Substring(path))
        return PercentEncoding.visible(shown.utf8) + (isCut ? "%3F" + Self.mask : "")
    }

    /// The text before a question mark, however often that was percent-encoded.
    private static func beforeQuery(_ text: Substring) -> (shown: Substring, isCut: Bool) {
        guard let mark = text.firstRange(of: #/\?|%(?:25)*3[Ff]/#) else { return (text, false) }
        return (text[..<mark.lowerBound], true)
    }
}
