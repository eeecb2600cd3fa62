import CPosterCurl
import InternetAddress

/// An absolute URL, parsed by libcurl, so that no second parser can disagree about its host.
struct FetchURL: Hashable, Sendable {
    let text: String
    let scheme: String
    /// In lower case; an IPv6 literal has its brackets.
    let host: String
    let port: UInt16

    /// Parses `text`, relative to `base` if there is one; returns `nil` if it is not a URL.
    ///
    /// Accepts any scheme, but no user name: libcurl would send it as a credential.
    init?(_ text: String, relativeTo base: FetchURL? = nil) {
        // C strings end at a NUL.
        guard !text.utf8.contains(0) else { return nil }
        var parts = poster_curl_url()
        let isParsed = poster_curl_url_parse(base?.text, text, &parts)
        guard isParsed, let whole = parts.text, let scheme = parts.scheme, let host = parts.host else { return nil }
        defer { poster_curl_url_free(&parts) }
        self.text = String(cString: whole)
        self.scheme = String(cString: scheme)
        self.host = String(cString: host).lowercased()
        self.port = parts.port
    }

    var isTLS: Bool { self.scheme == "https" }
    var isHTTP: Bool { self.scheme == "http" || self.scheme == "https" }

    /// The host's address, if it is a literal address.
    var literalAddress: IPAddress? { Self.literalAddress(self.host) }

    static func literalAddress(_ host: String) -> IPAddress? {
        host.hasPrefix("[") ? IPAddress(String(host.dropFirst().dropLast())) : IPAddress(host)
    }

    /// Parses the URL of a request.
    static func requested(_ text: String) throws(FetchError) -> FetchURL {
        guard let url = FetchURL(text) else { throw .invalidURL(Self.shown(text)) }
        guard url.isHTTP else { throw .forbiddenScheme(url.scheme) }
        guard !url.host.isEmpty else { throw .invalidURL(Self.shown(text)) }
        return url
    }

    /// Returns the target of a redirect, without dot segments (RFC 3986, 5.2.4).
    func redirected(to location: String) throws(FetchError) -> FetchURL {
        guard let next = FetchURL(Self.decodingDots(location), relativeTo: self) else {
            throw .badRedirect(Self.shown(location))
        }
        guard next.isHTTP, !next.host.isEmpty else { throw .badRedirect(Self.shown(next.text)) }
        // A TLS request must not be redirected to a URL that the network can read and forge.
        guard next.isTLS || !self.isTLS else { throw .badRedirect(Self.shown(next.text)) }
        return next
    }

    /// Decodes `%2e` where it forms a dot segment (RFC 3986, 6.2.2.2), as browsers do and libcurl does not.
    private static func decodingDots(_ location: String) -> String {
        let end = location.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? location.endIndex
        let segments = location.utf8[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let path = segments.map { segment in
            guard segment.count <= 6, segment.contains(UInt8(ascii: "%")) else { return String(Substring(segment)) }
            let decoded = Substring(segment).lowercased().replacing("%2e", with: ".")
            return decoded == "." || decoded == ".." ? decoded : String(Substring(segment))
        }
        return path.joined(separator: "/") + location[end...]
    }

    /// A URL, valid or not, for logs: without user, query and fragment, which may contain secrets.
    ///
    /// Omits everything between the scheme and the last `@`.
    static func shown(_ text: String) -> String {
        // By bytes: an `@` with a combining mark is another character, and comparing characters takes quadratic time in
        // the number of such marks.
        let bytes = text.utf8
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        let start = bytes[..<end].firstRange(of: "//".utf8)?.upperBound ?? bytes.startIndex
        if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) {
            return "\(text[..<start])…\(text[at..<end])"
        }
        // A password may contain a question mark that is not percent-encoded.
        let isCutInHost =
            !bytes[start..<end].contains(UInt8(ascii: "/")) && bytes[end...].contains(UInt8(ascii: "@"))
        return isCutInHost ? "\(text[..<start])…" : String(text[..<end])
    }
}
