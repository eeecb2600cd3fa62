import CPosterCrypto

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces. A copy continues independently.
package struct SHA256: Sendable {
    /// Bytes of a digest.
    package static let byteCount = 32
    /// Bytes that the compression function takes at once.
    static let blockByteCount = 64

    private var context = SHA256_CTX()

    /// The state before the first byte.
    package init() {
        // This and the functions below cannot fail: their result is for other digests.
        _ = SHA256_Init(&self.context)
    }

    /// Adds bytes.
    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        _ = SHA256_Update(&self.context, bytes.baseAddress, bytes.count)
    }

    /// Adds bytes.
    @inlinable
    package mutating func update(data: some Sequence<UInt8>) {
        data.withContiguousBytes { self.update(bufferPointer: $0) }
    }

    /// The digest of all bytes added so far, which leaves the state as it is.
    package func finalize() -> [UInt8] {
        var context = self.context
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            _ = SHA256_Final(digest.baseAddress, &context)
            count = Self.byteCount
        }
    }

    /// The digest of `data`.
    @inlinable
    package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var state = SHA256()
        state.update(data: data)
        return state.finalize()
    }
}
