import Crypto

/// A SHA-256 digest.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// - Parameter bytes: 32 bytes; nil otherwise.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// - Parameter hexadecimal: 64 hexadecimal digits; nil otherwise.
    public init?(hexadecimal: String) {
        let digits = hexadecimal.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * SHA256.byteCount, !digits.contains(nil) else { return nil }
        self.bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]! << 4 | digits[$0 + 1]!) }
    }

    /// The digest of `text` in UTF-8.
    public init(of text: String) {
        self.bytes = Array(SHA256.hash(data: Array(text.utf8)))
    }

    /// The digest of a buffer.
    public init(of buffer: UnsafeRawBufferPointer) {
        var builder = Builder()
        builder.update(buffer)
        self = builder.finish()
    }

    /// 64 hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: self.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Whether the hexadecimal digits begin with these.
    ///
    /// - Parameter digits: In lower case.
    public func begins(with digits: some StringProtocol) -> Bool {
        guard digits.utf8.count <= 2 * self.bytes.count else { return false }
        // Without allocating a string: this runs at cache hits.
        for (index, digit) in digits.utf8.enumerated() {
            let own = index.isMultiple(of: 2) ? self.bytes[index / 2] >> 4 : self.bytes[index / 2] & 15
            guard digit == own + UInt8(ascii: own < 10 ? "0" : "a") - (own < 10 ? 0 : 10) else { return false }
        }
        return true
    }

    /// Digests bytes while they arrive.
    public struct Builder: Sendable {
        private var hasher = SHA256()

        /// Nothing digested yet.
        public init() {}

        /// Adds bytes.
        public mutating func update(_ buffer: UnsafeRawBufferPointer) {
            self.hasher.update(bufferPointer: buffer)
        }

        /// The digest of everything added so far.
        public func finish() -> Digest {
            Digest(bytes: Array(self.hasher.finalize()))!
        }
    }
}
