/// The path and query of a request as they came, split and decoded exactly once.
package struct RequestTarget {
    /// Still percent-encoded; empty when the target is in none of the two forms.
    package let path: Substring
    /// Between the slashes, still percent-encoded.
    package let segments: [Substring]
    private let query: Substring?

    /// - Parameter target: In origin form (RFC 9112, 3.2.1), such as `/poster/x?w=368`, or in absolute form (3.2.2).
    package init(_ target: String) {
        // By bytes throughout: to `Character`, a slash with a combining mark after it is no slash.
        var rest = target[...]
        if !rest.utf8.starts(with: "/".utf8) { rest = Self.withoutAuthority(rest) }
        rest = rest.utf8.firstIndex(of: UInt8(ascii: "#")).map { rest[..<$0] } ?? rest
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        self.path = rest[..<(mark ?? rest.endIndex)]
        self.segments = self.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map(Substring.init)
        self.query = mark.map { rest[rest.utf8.index(after: $0)...] }
    }

    /// Path and query of a URL of HTTP; empty for everything else.
    private static func withoutAuthority(_ target: Substring) -> Substring {
        let lowercased = target.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) else { return "" }
        let rest = target.utf8.dropFirst(scheme.utf8.count)
        guard let end = rest.firstIndex(where: "/?#".utf8.contains) else { return "/" }
        return rest[end] == UInt8(ascii: "/") ? target[end...] : "/" + target[end...]
    }

    /// The parameters in their order.
    ///
    /// - Parameter plusIsSpace: As forms write them (URL Standard, 5.1): what people type comes so from many clients.
    ///   URLs in parameters keep their plus.
    /// - Throws: ``Problem`` for malformed percent-encoding.
    package func parameters(plusIsSpace: Bool = false) throws(Problem) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for pair in (self.query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { part in
                    plusIsSpace ? String(Substring(part)).replacing("+", with: " ")[...] : Substring(part)
                }
            guard let name = PercentEncoding.decode(parts[0]),
                let value = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
            else {
                throw Problem(.invalidParameter, "the query holds malformed percent-encoding")
            }
            parameters.append((name, value))
        }
        return parameters
    }
}
