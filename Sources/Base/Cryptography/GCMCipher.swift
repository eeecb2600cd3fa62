import CPosterCrypto

/// One encryption or decryption by OpenSSL: call ``authenticate(_:)``, then ``process(_:)``, then ``finish()``.
final class GCMCipher {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    /// Fetched once, because a fetch takes longer than encrypting a short text. Never freed, and safe to share; `nil`
    /// if OpenSSL's configuration lacks the algorithm.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = {
        defer { ERR_clear_error() }
        return EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }()

    private let context: OpaquePointer

    init(key: SymmetricKey, nonce: [UInt8], direction: Direction) throws(AESGCM.Failure) {
        guard key.byteCount == AESGCM.keyByteCount else { throw .unsuitableKey(byteCount: key.byteCount) }
        precondition(nonce.count == AESGCM.nonceByteCount, "the nonce must have the algorithm's default length")
        guard let algorithm = Self.algorithm else { throw .library("its configuration does not provide the algorithm") }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.failure() }
        self.context = context
        let status = key.withUnsafeBytes {
            EVP_CipherInit_ex2(
                context, algorithm, $0.bindMemory(to: UInt8.self).baseAddress, nonce, direction.rawValue, nil)
        }
        guard status == 1 else { throw Self.failure() }
    }

    deinit {
        EVP_CIPHER_CTX_free(self.context)
    }

    /// Adds data that is authenticated but not encrypted.
    func authenticate(_ data: [UInt8]) throws(AESGCM.Failure) {
        guard let length = Int32(exactly: data.count) else { throw .tooLong }
        guard length > 0 else { return }
        var count: Int32 = 0
        guard EVP_CipherUpdate(self.context, nil, &count, data, length) == 1 else { throw Self.failure() }
    }

    /// Encrypts or decrypts the whole text; the result has the same length.
    func process(_ text: [UInt8]) throws(AESGCM.Failure) -> [UInt8] {
        guard let length = Int32(exactly: text.count) else { throw .tooLong }
        guard length > 0 else { return [] }
        var output = [UInt8](repeating: 0, count: text.count)
        var count: Int32 = 0
        guard EVP_CipherUpdate(self.context, &output, &count, text, length) == 1 else { throw Self.failure() }
        return output
    }

    /// Computes the tag of an encryption, or verifies the tag of a decryption.
    func finish() throws(AESGCM.Failure) {
        // GCM has no padding: nothing is written.
        var (none, count): (UInt8, Int32) = (0, 0)
        guard EVP_CipherFinal_ex(self.context, &none, &count) == 1 else { throw Self.failure() }
    }

    /// The tag; available after ``finish()``.
    func tag() throws(AESGCM.Failure) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AESGCM.tagByteCount)
        guard EVP_CIPHER_CTX_ctrl(self.context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else {
            throw Self.failure()
        }
        return tag
    }

    /// Sets the tag that ``finish()`` verifies.
    func expectTag(_ tag: [UInt8]) throws(AESGCM.Failure) {
        // OpenSSL copies the bytes.
        var tag = tag
        guard EVP_CIPHER_CTX_ctrl(self.context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw Self.failure()
        }
    }

    /// Takes OpenSSL's last error off the thread's error queue: TLS connections on the same thread would take it for
    /// theirs.
    private static func failure() -> AESGCM.Failure {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0 else { return .library("no reason given") }
        return .library(ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)")
    }
}
