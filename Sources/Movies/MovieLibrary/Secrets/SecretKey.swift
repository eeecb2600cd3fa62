package import Cryptography
package import FoundationEssentials
package import MovieDomain

/// A 256-bit key that encrypts stored secrets.
package struct SecretKey: Sendable {
    /// In bytes.
    package static let length = 32

    let symmetric: SymmetricKey

    /// A random key from the system's generator.
    package init() {
        self.symmetric = SymmetricKey()
    }

    /// - Returns: `nil` unless there are ``length`` bytes that are not all equal.
    package init?(_ bytes: [UInt8]) {
        // A repeated byte indicates a file of zeros, not a key.
        guard bytes.count == Self.length, Set(bytes).count > 1 else { return nil }
        self.symmetric = SymmetricKey(data: bytes)
    }

    /// Reads base64 (RFC 4648, 4 and 5, padded or not), 64 hexadecimal digits, or raw bytes; ignores space around text.
    package init?(content: [UInt8]) {
        if let key = SecretKey(content) {
            self = key
            return
        }
        guard let bytes = KeyEncoding.bytes(content) else { return nil }
        self.init(bytes)
    }

    /// Identifies the key without revealing it: a truncated HMAC-SHA-256.
    var id: String {
        let code = HMACSHA256.authenticationCode(for: "onesheet key id".utf8, using: self.symmetric)
        return KeyEncoding.hexadecimal(code.prefix(8))
    }

    /// A key for another purpose, from which this key cannot be computed.
    ///
    /// - Parameter purpose: The name of the purpose; each has its own key.
    package func derived(_ purpose: String) -> SymmetricKey {
        self.symmetric.derived(info: Array(purpose.utf8))
    }

    /// The key's form in a file.
    var text: String { self.symmetric.withUnsafeBytes { KeyEncoding.hexadecimal($0) } }
}

extension SecretKey: Redacted {
    package var description: String { "a secret key" }
}

/// Text encodings of keys: hexadecimal and base64.
enum KeyEncoding {
    /// Lower-case digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// 64 hexadecimal digits, or base64 of 32 bytes.
    static func bytes(_ content: [UInt8]) -> [UInt8]? {
        let isSpace = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
        let text = content.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        switch text.count {
        case 64: return Self.pairs(Array(text))
        case 43, 44: return Self.base64(Array(text))
        default: return nil
        }
    }

    private static func pairs(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Accepts both alphabets, with or without padding.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.map {
            $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
        }
        let padding = text.count == 43 ? [UInt8(ascii: "=")] : []
        return Data(base64Encoded: Data(digits + padding)).map { Array($0) }
    }
}

/// The stored, irreversible form of a token.
///
/// Tokens are 256 random bits, so a plain digest resists guessing as well as a slow one.
package struct TokenHash: Hashable {
    /// SHA-256, 32 bytes.
    package let bytes: Data

    package init(_ token: AccessToken) {
        self.bytes = Data(SHA256.hash(data: token.text.utf8))
    }

    package init(stored bytes: Data) {
        self.bytes = bytes
    }

    /// - Returns: `nil` if the text cannot be a token.
    package init?(_ text: String) {
        guard let token = AccessToken(text) else { return nil }
        self.init(token)
    }
}
