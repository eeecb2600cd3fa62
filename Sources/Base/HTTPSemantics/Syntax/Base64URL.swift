/// Base64 for URLs without padding (RFC 4648, 5).
package enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(Self.digits[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(Self.digits[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil for what ``encode(_:)`` never gives: each value has one text.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for character in text.utf8 {
            guard let digit = Self.digits.firstIndex(of: character) else { return nil }
            (bits, count) = (bits << 6 | UInt32(digit), count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // What is left over are fewer bits than a digit, all zero.
        return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
    }
}
