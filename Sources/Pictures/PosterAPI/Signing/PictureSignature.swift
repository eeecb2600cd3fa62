import HTTPSemantics
import PosterPipeline

/// What a request's signature says of it, and what it asks for beside that.
struct PictureSignature {
    /// Holds the signature.
    static let parameter = "s"
    /// Holds the time it ends at.
    static let endParameter = "exp"

    /// Whether the one who knows a key wants this request answered.
    let isValid: Bool
    /// When that ends, in seconds since 1970; nil for never.
    let expires: Int64?
    /// Without those of the signature.
    let others: [(name: String, value: String)]

    /// - Parameter now: In seconds since 1970.
    /// - Throws: ``Problem``, when the signature is missing, wrong, or has ended.
    init(_ target: RequestTarget, policy: PicturePolicy, now: Int64) throws(Problem) {
        let parameters = try target.parameters()
        guard let keys = policy.signingKeys else {
            (self.isValid, self.expires, self.others) = (false, nil, parameters)
            return
        }
        self.others = parameters.filter { ![Self.parameter, Self.endParameter].contains($0.name) }
        let end = try Self.only(Self.endParameter, of: parameters)
        guard let signature = try Self.only(Self.parameter, of: parameters) else {
            guard !policy.requiresSignatures else {
                throw Problem(.invalidSignature, "URLs of this server are signed; this one has no parameter s")
            }
            guard end == nil else { throw Problem(.invalidParameter, "exp is a part of signatures; there is no s") }
            (self.isValid, self.expires) = (false, nil)
            return
        }
        let signed = parameters.filter { $0.name != Self.parameter }
        guard keys.isValid(signature, of: try CanonicalTarget(target, parameters: signed)) else {
            throw Problem(.invalidSignature, "s is not the signature of this path and query")
        }
        (self.isValid, self.expires) = (true, try end.map(Self.seconds))
        if let expires, expires <= now { throw Problem(.expiredSignature, "the signature ended at exp=\(expires)") }
    }

    /// The name of `name=value`, decoded; as it came when it cannot be.
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
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let seconds = Int64(text)
        else { throw Problem(.invalidParameter, "exp must be seconds since 1970, in at most 12 digits") }
        return seconds
    }
}
