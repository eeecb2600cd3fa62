import CPosterCrypto
import Glibc

/// A secret key; its bytes are overwritten when its last reference is released.
package final class SymmetricKey: Sendable {
    private static let randomByteCount = 32

    /// Written by the initialisers only.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawPointer
    package let byteCount: Int

    private init(byteCount: Int) {
        self.bytes = .allocate(byteCount: byteCount, alignment: 16)
        self.byteCount = byteCount
    }

    /// Copies `data`. The caller's own bytes are not overwritten.
    package convenience init(data: some Sequence<UInt8>) {
        let data = Array(data)
        self.init(byteCount: data.count)
        UnsafeMutableRawBufferPointer(start: self.bytes, count: data.count).copyBytes(from: data)
    }

    /// Creates a random 256-bit key from the kernel's generator.
    package convenience init() {
        self.init(byteCount: Self.randomByteCount)
        arc4random_buf(self.bytes, self.byteCount)
    }

    deinit {
        OPENSSL_cleanse(self.bytes, self.byteCount)
        self.bytes.deallocate()
    }

    /// Calls `body` with the key's bytes, which must not escape.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: self.bytes, count: self.byteCount))
    }
}

extension SymmetricKey {
    /// Derives a 256-bit key for another purpose by HKDF-SHA-256 (RFC 5869) without a salt. This key cannot be computed
    /// from the derived one.
    ///
    /// - Parameter info: Names the purpose.
    package func derived(info: [UInt8]) -> SymmetricKey {
        // An empty salt equals a salt of zeros: HMAC pads keys with zeros.
        let salt = SymmetricKey(data: [])
        let extracted = SymmetricKey(data: self.withUnsafeBytes { HMACSHA256.authenticationCode(for: $0, using: salt) })
        // The first output block has all 256 bits.
        return SymmetricKey(data: HMACSHA256.authenticationCode(for: info + [1], using: extracted))
    }
}

extension SymmetricKey: Equatable {
    /// Compares in constant time.
    package static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { left.isEqualInConstantTime(to: $0) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Compares all bytes, regardless of the first difference. Lengths are no secret.
    func isEqualInConstantTime(to other: UnsafeRawBufferPointer) -> Bool {
        self.count == other.count && CRYPTO_memcmp(self.baseAddress, other.baseAddress, self.count) == 0
    }
}
