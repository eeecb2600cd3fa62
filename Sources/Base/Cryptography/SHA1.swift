import CPosterCrypto

/// SHA-1 (FIPS 180-4), for protocols that use it as an identifier. Not secure: collisions are feasible.
package enum SHA1 {
    private static let byteCount = 20

    /// The digest of `data`, 20 bytes.
    package static func hash(data: some Sequence<UInt8>) -> [UInt8] {
        var context = SHA_CTX()
        // These functions cannot fail.
        _ = SHA1_Init(&context)
        data.withContiguousBytes { _ = SHA1_Update(&context, $0.baseAddress, $0.count) }
        return [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
            _ = SHA1_Final(digest.baseAddress, &context)
            count = Self.byteCount
        }
    }
}
