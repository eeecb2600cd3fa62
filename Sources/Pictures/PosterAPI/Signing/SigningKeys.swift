import Cryptography
package import HTTPSemantics
import HTTPServer

/// The keys of signed URLs (HMAC-SHA256, RFC 2104): the first signs, all verify, so that keys can be rotated while URLs
/// signed with older ones stay valid.
package struct SigningKeys: Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case noKeys
        case tooMany
        /// A line, counted from 1, that is not a key.
        case unacceptable(line: Int)

        /// A message with a remedy, which never contains a key.
        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "the key file \(path) cannot be read: \(reason)"
            case .noKeys: "it contains no signing key; 'openssl rand -hex 32' makes one"
            case .tooMany:
                "it is too long; the limit is \(SigningKeys.countLimit) keys of \(SigningKeys.lengths.upperBound) bytes"
            case .unacceptable(let line):
                "line \(line) is not a signing key of \(SigningKeys.lengths.lowerBound) to "
                    + "\(SigningKeys.lengths.upperBound) bytes; 'openssl rand -hex 32' makes one"
            }
        }
    }

    package static let lengths = 16...512
    package static let countLimit = 16
    /// The maximum number of bytes read: all keys, and as much again for comments.
    private static let fileLimit = 2 * SigningKeys.countLimit * (SigningKeys.lengths.upperBound + 2)

    private let keys: [SymmetricKey]
    /// Whether all users of the machine can read the file, which deserves a warning.
    package private(set) var isPublic = false

    /// Parses one key per line, without surrounding white space; skips empty lines and those that begin with `#`.
    package init(_ text: String) throws(Failure) {
        try self.init(lines: Array(text.utf8))
    }

    /// Reads a file in the format of ``init(_:)``.
    package init(contentsOf path: String) throws(Failure) {
        let file: SecretFile
        do throws(SecretFile.Unreadable) {
            file = try SecretFile(path, limit: Self.fileLimit)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        guard let content = file.content else { throw .tooMany }
        try self.init(lines: content)
        self.isPublic = file.isPublic
    }

    private init(lines text: [UInt8]) throws(Failure) {
        var keys: [SymmetricKey] = []
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let key = SecretFile.trimmed(line)
            guard !key.isEmpty, key[0] != UInt8(ascii: "#") else { continue }
            guard Self.lengths.contains(key.count) else { throw .unacceptable(line: index + 1) }
            guard keys.count < Self.countLimit else { throw .tooMany }
            keys.append(SymmetricKey(data: key))
        }
        guard !keys.isEmpty else { throw .noKeys }
        self.keys = keys
    }

    /// Signs a request's target with the first key.
    ///
    /// Replaces an existing signature, and an existing expiry if `expires` is given.
    ///
    /// - Parameters:
    ///   - target: Path and query, or an absolute URL; only path and query are signed.
    ///   - expires: The expiry in seconds since 1970; `nil` keeps the expiry of `target`, if any.
    /// - Returns: The target with `s`, and with `exp` if it expires.
    /// - Throws: ``Problem`` for malformed percent-encoding.
    package func sign(target: String, expires: Int64? = nil) throws(Problem) -> String {
        let end = target.utf8.firstIndex(of: UInt8(ascii: "#")) ?? target.endIndex
        let mark = target.utf8[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        var pairs: [String] = []
        for pair in target[mark..<end].utf8.dropFirst().split(separator: UInt8(ascii: "&")).map(Substring.init) {
            let name = PictureSignature.name(of: pair)
            if name == PictureSignature.parameter { continue }
            if name == PictureSignature.endParameter, expires != nil { continue }
            pairs.append(String(pair))
        }
        if let expires { pairs.append("\(PictureSignature.endParameter)=\(expires)") }
        let start = String(target[..<mark])
        let unsigned = RequestTarget(pairs.isEmpty ? start : start + "?" + pairs.joined(separator: "&"))
        let canonical = try CanonicalTarget(unsigned, parameters: try unsigned.parameters())
        pairs.append("\(PictureSignature.parameter)=\(self.signature(of: canonical))")
        return start + "?" + pairs.joined(separator: "&")
    }

    /// The signature as 43 characters of base64url (RFC 4648, 5).
    func signature(of target: CanonicalTarget) -> String {
        Base64URL.encode(HMACSHA256.authenticationCode(for: target.bytes, using: self.keys[0]))
    }

    /// Whether one of the keys made this signature; takes constant time per key.
    func isValid(_ signature: String, of target: CanonicalTarget) -> Bool {
        guard let code = Base64URL.decode(signature), code.count == SHA256.byteCount else { return false }
        var isValid = false
        for key in self.keys
        where HMACSHA256.isValidAuthenticationCode(code, authenticating: target.bytes, using: key) {
            isValid = true
        }
        return isValid
    }
}
