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
