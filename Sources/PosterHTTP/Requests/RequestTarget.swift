/// The path and query of a request as they came, split and decoded exactly once.
struct RequestTarget {
    /// Between the slashes, still percent-encoded.
    let segments: [Substring]
    private let query: Substring?

    /// - Parameter target: In origin form (RFC 9112, 3.2.1), such as `/poster/x?w=368`, or in absolute form.
    init(_ target: String) {
        var rest = target[...]
        if let scheme = rest.range(of: "://"), !rest[..<scheme.lowerBound].contains("/") {
            rest = rest[scheme.upperBound...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        }
        rest = rest.prefix { $0 != "#" }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.segments = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            $0
        }
        self.query = parts.count > 1 ? parts[1] : nil
    }

    /// The parameters in their order.
    ///
    /// - Throws: ``Problem`` for malformed percent-encoding.
    func parameters() throws(Problem) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for pair in (self.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
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

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = self.startIndex
        while start < self.endIndex {
            if self[start...].hasPrefix(text) { return start..<self.index(start, offsetBy: text.count) }
            start = self.index(after: start)
        }
        return nil
    }
}
