import Glibc

/// Authenticated encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D).
///
/// A sealed text is the nonce, the encrypted text and the tag, concatenated.
package enum AESGCM {
    package static let keyByteCount = 32
    static let nonceByteCount = 12
    static let tagByteCount = 16

    package enum Failure: Error, Hashable, CustomStringConvertible {
        case unsuitableKey(byteCount: Int)
        case tooLong
        case tooShort
        /// Text, nonce, tag or authenticated data were changed, or the key is another one.
        case notAuthentic
        case library(String)

        package var description: String {
            switch self {
            case .unsuitableKey(let count): "the key has \(count) bytes, not \(AESGCM.keyByteCount)"
            case .tooLong: "the text is longer than \(Int32.max) bytes"
            case .tooShort: "the sealed text is too short for a nonce and a tag"
            case .notAuthentic: "the sealed text was changed, or sealed with another key or another context"
            case .library(let reason): "OpenSSL cannot encrypt with AES-256-GCM: \(reason)"
            }
        }
    }

    /// Encrypts `text` under a random nonce.
    ///
    /// - Parameter context: Data authenticated with the text but not part of the result; opening needs the same data.
    package static func seal(
        _ text: [UInt8], using key: SymmetricKey, authenticating context: [UInt8] = []
    ) throws(Failure) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: Self.nonceByteCount)
        arc4random_buf(&nonce, nonce.count)
        return try Self.seal(text, using: key, nonce: nonce, authenticating: context)
    }

    /// Encrypts `text` under a nonce that must never have been used with this key.
    static func seal(
        _ text: [UInt8], using key: SymmetricKey, nonce: [UInt8], authenticating context: [UInt8]
    ) throws(Failure) -> [UInt8] {
        let cipher = try GCMCipher(key: key, nonce: nonce, direction: .encrypt)
        try cipher.authenticate(context)
        let encrypted = try cipher.process(text)
        try cipher.finish()
        return nonce + encrypted + (try cipher.tag())
    }

    /// Decrypts a result of ``seal(_:using:authenticating:)``.
    package static func open(
        _ sealed: [UInt8], using key: SymmetricKey, authenticating context: [UInt8] = []
    ) throws(Failure) -> [UInt8] {
        guard sealed.count >= Self.nonceByteCount + Self.tagByteCount else { throw .tooShort }
        let encrypted = sealed[Self.nonceByteCount..<sealed.count - Self.tagByteCount]
        let nonce = Array(sealed.prefix(Self.nonceByteCount))
        let cipher = try GCMCipher(key: key, nonce: nonce, direction: .decrypt)
        try cipher.authenticate(context)
        let text = try cipher.process(Array(encrypted))
        try cipher.expectTag(Array(sealed.suffix(Self.tagByteCount)))
        do {
            try cipher.finish()
        } catch {
            // Only the comparison of tags can fail here.
            throw .notAuthentic
        }
        return text
    }
}
