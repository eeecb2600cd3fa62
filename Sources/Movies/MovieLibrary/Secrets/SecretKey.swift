import Crypto

/// A 256-bit key that encrypts stored secrets.
package struct SecretKey: Sendable {
    package static let length = 32

    let symmetric: SymmetricKey

    /// A new one, from the system's generator.
    package init() {
        self.symmetric = SymmetricKey(size: .bits256)
    }

    /// - Returns: nil unless there are ``length`` bytes that differ.
    package init?(_ bytes: [UInt8]) {
        // One byte repeated is a file of zeros, not a key.
        guard bytes.count == Self.length, Set(bytes).count > 1 else { return nil }
        self.symmetric = SymmetricKey(data: bytes)
    }

    /// Reads base64 (RFC 4648, 4 and 5, with or without padding), 64 hexadecimal digits, or the bytes themselves; white
    /// space around a text does not count.
    ///
    /// - Returns: nil for anything else.
    package init?(content: [UInt8]) {
        if let key = SecretKey(content) {
            self = key
            return
        }
        guard let bytes = KeyEncoding.bytes(content) else { return nil }
        self.init(bytes)
    }

    /// Identifies the key without revealing it: a truncated HMAC-SHA-256.
    var id: String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("onesheet key id".utf8), using: self.symmetric)
        return KeyEncoding.hexadecimal(code.prefix(8))
    }

    /// As it is written to a file.
    var text: String { self.symmetric.withUnsafeBytes { KeyEncoding.hexadecimal($0) } }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a secret key" }
    /// As ``description``.
    package var debugDescription: String { self.description }
    /// Without members.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Text encodings of keys: hexadecimal and base64.
enum KeyEncoding {
    /// Lower-case digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// 64 hexadecimal digits, or base64 of 32 bytes.
    /// - Returns: nil for anything else.
    static func bytes(_ content: [UInt8]) -> [UInt8]? {
        let isSpace = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
        let text = content.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        switch text.count {
        case 64: return Self.pairs(Array(text))
        case 43, 44: return Self.base64(Array(text))
        default: return nil
        }
    }

    private static func pairs(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)) }
    }

    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.count == 44 ? text.dropLast() : text[...]
        guard text.count == 43 || text.last == UInt8(ascii: "=") else { return nil }
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for digit in digits {
            guard let value = Self.value(of: digit) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
