import CPosterCrypto
import Glibc

/// A secret key, which is overwritten when its last reference goes.
package final class SymmetricKey: Sendable {
    /// Bytes of a random key.
    private static let randomByteCount = 32

    /// Owned. Written by the initialisers, and only read afterwards.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawPointer
    package let byteCount: Int

    private init(byteCount: Int) {
        self.bytes = .allocate(byteCount: byteCount, alignment: 16)
        self.byteCount = byteCount
    }

    /// A copy of `data`. The caller's own bytes are not overwritten.
    package convenience init(data: some Sequence<UInt8>) {
        let data = Array(data)
        self.init(byteCount: data.count)
        UnsafeMutableRawBufferPointer(start: self.bytes, count: data.count).copyBytes(from: data)
    }

    /// A random key of 256 bits, from the kernel.
    package convenience init() {
        self.init(byteCount: Self.randomByteCount)
        arc4random_buf(self.bytes, self.byteCount)
    }

    deinit {
        OPENSSL_cleanse(self.bytes, self.byteCount)
        self.bytes.deallocate()
    }

    /// Calls `body` with the key, which must not be used after that.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: self.bytes, count: self.byteCount))
    }
}

extension SymmetricKey: Equatable {
    /// Takes the same time wherever the keys differ.
    package static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { left.isEqualInConstantTime(to: $0) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Compares all bytes, wherever the first difference is. Lengths are no secret.
    func isEqualInConstantTime(to other: UnsafeRawBufferPointer) -> Bool {
        self.count == other.count && CRYPTO_memcmp(self.baseAddress, other.baseAddress, self.count) == 0
    }
}
