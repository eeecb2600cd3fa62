import CPosterCrypto

/// Incremental SHA-256 (FIPS 180-4). A copy continues independently.
package struct SHA256: Sendable {
    package static let byteCount = 32
    static let blockByteCount = 64

    private var context = SHA256_CTX()

    package init() {
        // This function and those below cannot fail: they return a status for uniformity with other digests.
        _ = SHA256_Init(&self.context)
    }

    package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        _ = SHA256_Update(&self.context, bytes.baseAddress, bytes.count)
    }

    @inlinable
    package mutating func update(data: some Sequence<UInt8>) {
        data.withContiguousBytes { self.update(bufferPointer: $0) }
    }

    /// Returns the digest of all bytes added so far; the state does not change.
    package func finalize() -> [UInt8] {
        var context = self.context
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            _ = SHA256_Final(digest.baseAddress, &context)
            count = Self.byteCount
        }
    }

    @inlinable
    package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var state = SHA256()
        state.update(data: data)
        return state.finalize()
    }
}

extension Sequence<UInt8> {
    /// Calls `body` with the elements; copies them only if they are not contiguous in memory.
    @inlinable
    package func withContiguousBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        self.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(self).withUnsafeBytes(body)
    }
}
