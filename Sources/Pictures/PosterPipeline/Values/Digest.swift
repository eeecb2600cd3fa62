import Cryptography

/// A SHA-256 digest.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// - Parameter bytes: The result is `nil` unless there are 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// - Parameter hexadecimal: 64 digits; the result is `nil` otherwise.
    public init?(hexadecimal: String) {
        let digits = hexadecimal.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * SHA256.byteCount, !digits.contains(nil) else { return nil }
        self.bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]! << 4 | digits[$0 + 1]!) }
    }

    /// Digests `text` in UTF-8.
    public init(of text: String) {
        self.bytes = SHA256.hash(data: text.utf8)
    }

    /// Digests a buffer.
    public init(of buffer: UnsafeRawBufferPointer) {
        var builder = Builder()
        builder.update(buffer)
        self = builder.finish()
    }

    /// The first eight bytes, as a big-endian number.
    package var start: UInt64 { self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// 64 lower-case hexadecimal digits.
    public var description: String {
        String(unsafeUninitializedCapacity: 2 * self.bytes.count) { text in
            for (index, byte) in self.bytes.enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 15)
            }
            return 2 * self.bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Whether ``description`` begins with these digits.
    /// - Parameter digits: In lower case.
    public func begins(with digits: some StringProtocol) -> Bool {
        guard digits.utf8.count <= 2 * self.bytes.count else { return false }
        // Allocates no string, because cache hits call it.
        for (index, digit) in digits.utf8.enumerated() {
            let own = index.isMultiple(of: 2) ? self.bytes[index / 2] >> 4 : self.bytes[index / 2] & 15
            guard digit == Self.digit(own) else { return false }
        }
        return true
    }

    /// Computes a digest incrementally.
    public struct Builder: Sendable {
        private var hasher = SHA256()

        /// Creates a builder without bytes.
        public init() {}

        /// Adds bytes.
        public mutating func update(_ buffer: UnsafeRawBufferPointer) {
            self.hasher.update(bufferPointer: buffer)
        }

        /// The digest of all bytes added so far.
        public func finish() -> Digest {
            Digest(bytes: self.hasher.finalize())!
        }
    }
}
