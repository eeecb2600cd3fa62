extension SymmetricKey {
    /// A key of 256 bits for another purpose, from which this one cannot be computed: HKDF (RFC 5869) with SHA-256, without a salt.
    ///
    /// - Parameter info: Names the purpose.
    package func derived(info: [UInt8]) -> SymmetricKey {
        // A salt of zeros, as an empty one is padded with them.
        let salt = SymmetricKey(data: [])
        let extracted = SymmetricKey(data: self.withUnsafeBytes { HMACSHA256.authenticationCode(for: $0, using: salt) })
        // A single block, the first, has all 256 bits.
        return SymmetricKey(data: HMACSHA256.authenticationCode(for: info + [1], using: extracted))
    }
}
