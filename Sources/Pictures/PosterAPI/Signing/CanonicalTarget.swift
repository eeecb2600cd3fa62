import HTTPSemantics
import PosterPipeline

/// What is signed of a request: its path and query in one form, whatever the order and the encoding they came in.
///
/// Segments, names and values are decoded once and encoded again, all but letters, digits, `-`, `.`, `_` and `~`, with
/// upper-case digits. Parameters are `name=value`, sorted by their bytes, by name and then by value, and joined by `&`; the
/// signature itself is left out. A `+` is a plus. Without parameters there is no question mark.
struct CanonicalTarget: Hashable {
    let text: String

    /// - Parameter parameters: Decoded, without the signature.
    /// - Throws: ``Problem`` for malformed percent-encoding.
    init(_ target: RequestTarget, parameters: [(name: String, value: String)]) throws(Problem) {
        var text = ""
        for segment in target.segments {
            guard let decoded = PercentEncoding.decode(segment) else {
                throw Problem(.invalidParameter, "the path holds malformed percent-encoding")
            }
            text += "/" + PercentEncoding.encode(decoded.utf8)
        }
        let pairs = parameters.map { (PercentEncoding.encode($0.name.utf8), PercentEncoding.encode($0.value.utf8)) }
            .sorted { $0.0 == $1.0 ? Self.precedes($0.1, $1.1) : Self.precedes($0.0, $1.0) }
        if !pairs.isEmpty { text += "?" + pairs.map { "\($0)=\($1)" }.joined(separator: "&") }
        self.text = text
    }

    var bytes: [UInt8] { Array(self.text.utf8) }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
