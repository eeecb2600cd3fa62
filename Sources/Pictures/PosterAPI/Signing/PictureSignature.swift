import HTTPSemantics
import PosterPipeline

/// The verified signature of a request, and the request's other parameters.
struct PictureSignature {
    static let parameter = "s"
    static let endParameter = "exp"

    let isValid: Bool
    /// When the signature expires, in seconds since 1970; `nil` if never.
    let expires: Int64?
    /// The parameters without `s` and `exp`.
    let others: [(name: String, value: String)]

    /// - Parameters:
    ///   - keys: `nil` without signatures.
    ///   - isRequired: Whether a request without a signature is rejected.
    ///   - now: Seconds since 1970.
    /// - Throws: ``Problem`` if the signature is missing, invalid or expired.
    init(_ target: RequestTarget, keys: SigningKeys?, isRequired: Bool, now: Int64) throws(Problem) {
        let parameters = try target.parameters()
        guard let keys else {
            (self.isValid, self.expires, self.others) = (false, nil, parameters)
            return
        }
        self.others = parameters.filter { ![Self.parameter, Self.endParameter].contains($0.name) }
        let end = try Self.only(Self.endParameter, of: parameters)
        guard let signature = try Self.only(Self.parameter, of: parameters) else {
            guard !isRequired else {
                throw Problem(.invalidSignature, "this server requires signed URLs; the parameter s is missing")
            }
            guard end == nil else {
                throw Problem(.invalidParameter, "exp requires a signature; the parameter s is missing")
            }
            (self.isValid, self.expires) = (false, nil)
            return
        }
        let signed = parameters.filter { $0.name != Self.parameter }
        guard keys.isValid(signature, of: try CanonicalTarget(target, parameters: signed)) else {
            throw Problem(.invalidSignature, "s is not the signature of this path and query")
        }
        (self.isValid, self.expires) = (true, try end.map(Self.seconds))
        if let expires, expires <= now { throw Problem(.expiredSignature, "the signature expired at exp=\(expires)") }
    }

    /// The decoded name of `name=value`; unchanged if it is malformed.
    static func name(of pair: Substring) -> String {
        let name = pair.utf8.firstIndex(of: UInt8(ascii: "=")).map { pair[..<$0] } ?? pair
        return PercentEncoding.decode(name) ?? String(name)
    }

    private static func only(
        _ name: String, of parameters: [(name: String, value: String)]
    ) throws(Problem) -> String? {
        let values = parameters.filter { $0.name == name }
        guard values.count <= 1 else { throw Problem(.invalidParameter, "\(name) is given more than once") }
        return values.first?.value
    }

    private static func seconds(_ text: String) throws(Problem) -> Int64 {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
            let seconds = Int64(text)
        else { throw Problem(.invalidParameter, "exp must be seconds since 1970, in at most 12 digits") }
        return seconds
    }
}

/// The canonical form of a request's path and query, which is the signed text.
///
/// Segments, names and values are decoded once, and encoded again except for letters, digits, `-`, `.`, `_` and `~`,
/// with upper-case digits. Parameters are `name=value`, sorted bytewise by name and then by value, and joined by `&`,
/// without the signature itself. A `+` is a plus. Without parameters there is no question mark.
struct CanonicalTarget: Hashable {
    let text: String

    /// - Parameter parameters: The decoded parameters without the signature.
    /// - Throws: ``Problem`` for malformed percent-encoding.
    init(_ target: RequestTarget, parameters: [(name: String, value: String)]) throws(Problem) {
        var text = ""
        for segment in target.segments {
            guard let decoded = PercentEncoding.decode(segment) else {
                throw Problem(.invalidParameter, "the path holds \(PercentEncoding.refusedTexts)")
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
