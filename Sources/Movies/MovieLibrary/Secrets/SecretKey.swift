import Crypto

/// 256 bits that seal what may not be read where it is kept.
public struct SecretKey: Sendable {
    /// In bytes.
    public static let length = 32

    let symmetric: SymmetricKey

    /// A new one, from the system's generator.
    public init() {
        self.symmetric = SymmetricKey(size: .bits256)
    }

    /// - Returns: nil unless there are ``length`` bytes that differ.
    public init?(_ bytes: [UInt8]) {
        // One byte repeated is a file of zeros, not a key.
        guard bytes.count == Self.length, Set(bytes).count > 1 else { return nil }
        self.symmetric = SymmetricKey(data: bytes)
    }

    /// Reads base64 (RFC 4648, 4 and 5, with or without padding), 64 hexadecimal digits, or the bytes themselves; white
    /// space around a text does not count.
    ///
    /// - Returns: nil for what is none of them.
    public init?(content: [UInt8]) {
        if let key = SecretKey(content) {
            self = key
            return
        }
        guard let bytes = KeyText.bytes(content) else { return nil }
        self.init(bytes)
    }

    /// Tells keys apart, and nothing of them.
    var id: String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("onesheet key id".utf8), using: self.symmetric)
        return KeyText.hexadecimal(code.prefix(8))
    }

    /// As it is written to a file.
    var text: String { self.symmetric.withUnsafeBytes { KeyText.hexadecimal($0) } }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the key.
    public var description: String { "a secret key" }
    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
