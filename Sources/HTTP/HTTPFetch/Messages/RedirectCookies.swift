import HTTPSemantics

/// The cookies of one chain of redirects (RFC 6265), forgotten at its end: some origins set one as a challenge, and
/// redirect until it is sent back.
///
/// A cookie is sent only to the host that set it, whatever its `Domain`: there is no list of public suffixes. Cookies
/// expire on arrival or not at all, because a chain takes seconds.
struct RedirectCookies: Sendable {
    /// Maximum number of cookies; beyond that, the oldest is evicted.
    static let maxCount = 32
    /// Maximum size of a cookie's name and value, in bytes.
    static let maxLength = 4096
    /// Maximum size of the cookies sent with one request, in bytes; further ones are omitted.
    static let maxFieldLength = 8192

    private struct Cookie: Sendable {
        let name: String
        let value: String
        let host: String
        let path: String
        let isSecure: Bool

        var pair: String { "\(self.name)=\(self.value)" }

        func hasSamePlace(as other: Cookie) -> Bool {
            self.name == other.name && self.host == other.host && self.path == other.path
        }
    }

    private var cookies: [Cookie] = []

    /// Stores the cookies of a response, which replace earlier ones of the same name, host and path.
    ///
    /// - Parameters:
    ///   - fields: The values of `Set-Cookie`.
    ///   - now: The time in seconds since 1970.
    mutating func receive(_ fields: [String], from url: FetchURL, at now: Int64) {
        for field in fields {
            guard let (cookie, isRemoval) = Self.parsed(field, from: url, at: now) else { continue }
            self.cookies.removeAll { $0.hasSamePlace(as: cookie) }
            if isRemoval { continue }
            if self.cookies.count == Self.maxCount { self.cookies.removeFirst() }
            self.cookies.append(cookie)
        }
    }

    /// The `Cookie` header of a request for `url`, in libcurl's form; empty if no cookie matches.
    func headerLines(for url: FetchURL) -> [String] {
        let path = Self.path(of: url)
        let matching = self.cookies.filter { cookie in
            url.host == cookie.host && (url.isTLS || !cookie.isSecure) && Self.isPath(path, below: cookie.path)
        }
        var (pairs, length): ([String], Int) = ([], 0)
        // Longer paths first (5.4); the sort is stable.
        for cookie in matching.sorted(by: { $0.path.utf8.count > $1.path.utf8.count }) {
            let added = cookie.pair.utf8.count + (pairs.isEmpty ? 0 : 2)
            guard length + added <= Self.maxFieldLength else { continue }
            pairs.append(cookie.pair)
            length += added
        }
        return pairs.isEmpty ? [] : ["Cookie: \(pairs.joined(separator: "; "))"]
    }

    /// Parses a `Set-Cookie` field (5.2).
    /// - Returns: The cookie, and whether it has expired; `nil` if it is malformed, too large, or not for this host.
    private static func parsed(_ field: String, from url: FetchURL, at now: Int64) -> (Cookie, isRemoval: Bool)? {
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Substring.init)
        let (name, value) = Self.pair(parts[0])
        guard let value, !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maxLength,
            // Malformed UTF-8, replaced when the field was decoded, cannot be sent back.
            FieldSyntax.isValue(field), !parts[0].unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        var (isSecure, isRemoval) = (false, false)
        var path = Self.defaultPath(of: url)
        var maxAge: Int64?
        for part in parts.dropFirst() {
            let (attribute, text) = Self.pair(part)
            let argument = String(text ?? "")
            // Others are no known attributes, and slow to compare (``FieldSyntax``).
            guard FieldSyntax.isToken(String(attribute)) else { continue }
            switch attribute.lowercased() {
            case "domain" where !argument.isEmpty:
                guard argument.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
                let domain = argument.hasPrefix(".") ? String(argument.dropFirst()) : argument
                guard Self.isHost(url.host, within: domain.lowercased()) else { return nil }
            case "path" where argument.utf8.first == UInt8(ascii: "/"): path = argument
            case "path": path = Self.defaultPath(of: url)
            case "secure": isSecure = true
            case "max-age" where argument.utf8.first == UInt8(ascii: "-"): maxAge = 0
            case "max-age": maxAge = FieldSyntax.seconds(argument) ?? maxAge
            case "expires": isRemoval = Self.isDate(argument, before: now)
            default: break
            }
        }
        let cookie = Cookie(
            name: String(name), value: String(value), host: url.host, path: path, isSecure: isSecure)
        return (cookie, maxAge.map { $0 == 0 } ?? isRemoval)
    }

    /// Splits at the first `=` and trims blanks; `value` is `nil` without a `=`.
    private static func pair(_ text: Substring) -> (name: Substring, value: Substring?) {
        guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (text.trimmingBlanks, nil) }
        return (text[..<sign].trimmingBlanks, text[text.utf8.index(after: sign)...].trimmingBlanks)
    }

    /// Dates of cookies may contain hyphens, which HTTP dates do not.
    private static func isDate(_ date: String, before now: Int64) -> Bool {
        HTTPDate.seconds(date.replacing("-", with: " ")).map { $0 <= now } ?? false
    }

    /// The path of a URL, without the query.
    private static func path(of url: FetchURL) -> String {
        let rest = url.text.utf8.dropFirst(url.scheme.utf8.count + 3)
        guard let start = rest.firstIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(Substring(rest[start...].prefix { $0 != UInt8(ascii: "?") }))
    }

    /// The request's path up to its last slash (5.1.4).
    private static func defaultPath(of url: FetchURL) -> String {
        let path = Self.path(of: url)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Path matching (5.1.4).
    private static func isPath(_ path: String, below parent: String) -> Bool {
        guard path.utf8.starts(with: parent.utf8) else { return false }
        let rest = path.utf8.dropFirst(parent.utf8.count)
        return rest.isEmpty || parent.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }

    /// Domain matching (5.1.3); an address matches only itself.
    private static func isHost(_ host: String, within domain: String) -> Bool {
        host == domain || host.hasSuffix(".\(domain)") && FetchURL.literalAddress(host) == nil
    }
}
