/// Gzip (RFC 1952) without compression.
enum Gzip {
    /// Encodes bytes in stored blocks (RFC 1951, 3.2.4).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var coded: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
            let length = UInt16(block.count)
            coded.append(block.endIndex == bytes.count ? 1 : 0)
            coded += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            coded += block
        }
        for word in [Self.checksum(of: bytes), UInt32(bytes.count)] {
            coded += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
        }
        return coded
    }

    /// CRC-32 (RFC 1952, 8).
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
