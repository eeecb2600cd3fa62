/// Standard Base64 (RFC 4648, section 4) with padding.
public enum Base64 {
    /// The bytes of a text with padding and without white space; `nil` for invalid Base64.
    public static func decode(_ text: String) -> [UInt8]? {
        var characters = text.utf8[...]
        guard characters.count.isMultiple(of: 4) else { return nil }
        var padding = 0
        while padding < 2, characters.last == UInt8(ascii: "=") {
            characters = characters.dropLast()
            padding += 1
        }
        var bytes: [UInt8] = []
        var (bits, bitCount) = (0, 0)
        for character in characters {
            guard let digit = Self.digits.firstIndex(of: character) else { return nil }
            (bits, bitCount) = ((bits << 6 | digit) & 0xFFFF, bitCount + 6)
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
        }
        return bytes
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text: four characters for every three bytes, the last four padded with `=`.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start...].prefix(3)
            let bits = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
            for digit in 0..<4 {
                // One byte takes two digits, two bytes take three.
                text.append(digit <= group.count ? Self.digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
