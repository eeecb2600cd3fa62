/// Percent-encoding (RFC 3986, 2.1).
public enum PercentEncoding {
    /// Decodes once.
    ///
    /// - Returns: nil when a `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
    public static func decode(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes the bytes of a path segment: all but unreserved characters.
    public static func encode(_ segment: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in segment {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How often a text may have been percent-encoded to be looked through.
    public static let decodingLimit = 8

    /// Whether a server may find a path segment `.` or `..` in `path`, however often it decodes it: some decode more
    /// than once, take `\` for `/`, leave out what is behind `;`, `?`, `#` or a zero, or read overlong UTF-8.
    ///
    /// - Returns: true also for a path that was encoded more than ``decodingLimit`` times.
    public static func mayHoldDotSegment(_ path: some Sequence<UInt8>) -> Bool {
        var text = Array(path)
        for _ in 0...Self.decodingLimit {
            let segments = text.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            if segments.contains(where: Self.isDotSegment) { return true }
            let decoded = Self.decodedOnce(text)
            if decoded.count == text.count { return false }
            text = decoded
        }
        return true
    }

    /// Whether a server may find `/` or `\` in `segment`, however often it decodes it.
    public static func mayHoldSlash(_ segment: some Sequence<UInt8>) -> Bool {
        var text = Array(segment)
        for _ in 0...Self.decodingLimit {
            if text.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) { return true }
            let decoded = Self.decodedOnce(text)
            if decoded.count == text.count { return false }
            text = decoded
        }
        return true
    }

    private static func isDotSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        var name = segment.prefix { $0 > 0x1F && !";?#".utf8.contains($0) }
        while name.last == UInt8(ascii: " ") { name.removeLast() }
        return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
    }

    private static let overlong: [([UInt8], UInt8)] = [
        ([0xC0, 0xAE], UInt8(ascii: ".")), ([0xC0, 0xAF], UInt8(ascii: "/")), ([0xC1, 0x9C], UInt8(ascii: "\\")),
    ]

    /// What is no encoding stays as it is. Overlong UTF-8 of `.`, `/` and `\` is decoded too.
    private static func decodedOnce(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = Self.digit(text[index + 1]),
                let low = Self.digit(text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
            for (overlong, byte) in Self.overlong where bytes.suffix(2).elementsEqual(overlong) {
                bytes.replaceSubrange((bytes.count - 2)..., with: CollectionOfOne(byte))
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
