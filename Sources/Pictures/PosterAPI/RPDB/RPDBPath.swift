import HTTPSemantics

/// A path of RPDB's, below ``base`` or at the root: `/{key}/isValid` or `/{key}/{registry}/{type}/{file}`.
struct RPDBPath {
    static let base = "/compat/rpdb"
    /// Longest key in bytes.
    static let keyLimit = 1024

    /// The client's key, decoded.
    let key: String
    /// The segments after the key, as received.
    let rest: ArraySlice<Substring>

    /// - Throws: ``Problem`` for a malformed key.
    init(_ target: RequestTarget) throws(Problem) {
        let segments = target.segments
        let own = segments.starts(with: ["compat", "rpdb"]) ? segments.dropFirst(2) : segments[...]
        guard let first = own.first, let key = PercentEncoding.decode(first), !key.isEmpty,
            key.utf8.count <= Self.keyLimit
        else {
            throw Problem(.malformedRequest, "the path must begin with a key of 1 to \(Self.keyLimit) bytes")
        }
        self.key = key
        self.rest = own.dropFirst()
    }
}
