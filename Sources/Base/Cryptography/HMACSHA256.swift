import CPosterCrypto

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    private static let innerPad: UInt8 = 0x36
    private static let outerPad: UInt8 = 0x5c

    /// The authentication code of `data`, 32 bytes.
    @inlinable
    package static func authenticationCode(for data: some Sequence<UInt8>, using key: SymmetricKey) -> [UInt8] {
        data.withContiguousBytes { Self.authenticationCode(for: $0, using: key) }
    }

    /// Whether `code` authenticates `data`; compares in constant time.
    @inlinable
    package static func isValidAuthenticationCode(
        _ code: [UInt8], authenticating data: some Sequence<UInt8>, using key: SymmetricKey
    ) -> Bool {
        Self.isEqualInConstantTime(code, Self.authenticationCode(for: data, using: key))
    }

    @usableFromInline
    package static func authenticationCode(for data: UnsafeRawBufferPointer, using key: SymmetricKey) -> [UInt8] {
        withUnsafeTemporaryAllocation(byteCount: SHA256.blockByteCount, alignment: 16) { block in
            defer { OPENSSL_cleanse(block.baseAddress, block.count) }
            Self.prepare(block, key: key)
            var inner = SHA256()
            Self.mask(block, with: Self.innerPad)
            inner.update(bufferPointer: UnsafeRawBufferPointer(block))
            inner.update(bufferPointer: data)
            var outer = SHA256()
            // Removes the inner mask and applies the outer one.
            Self.mask(block, with: Self.innerPad ^ Self.outerPad)
            outer.update(bufferPointer: UnsafeRawBufferPointer(block))
            outer.update(data: inner.finalize())
            return outer.finalize()
        }
    }

    /// Fills the block with the key, or its digest if it is longer than a block, padded with zeros.
    private static func prepare(_ block: UnsafeMutableRawBufferPointer, key: SymmetricKey) {
        key.withUnsafeBytes { key in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count > block.count {
                block.copyBytes(from: SHA256.hash(data: key))
            } else {
                block.copyMemory(from: key)
            }
        }
    }

    private static func mask(_ block: UnsafeMutableRawBufferPointer, with pad: UInt8) {
        for index in block.indices { block[index] ^= pad }
    }

    @usableFromInline
    package static func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { left.isEqualInConstantTime(to: $0) } }
    }
}
