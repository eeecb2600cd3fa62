/// Percent-encoding (RFC 3986, 2.1).
public enum PercentEncoding {
    /// Decodes a text once.
    ///
    /// - Returns: `nil` if a `%` is not followed by two hexadecimal digits, the bytes are not UTF-8, or more than
    ///   30 combining marks follow one another.
    public static func decode(_ text: Substring) -> String? {
        Self.decodeWithAnyMarks(text).flatMap { CombiningMarks.exceedLimit(in: $0) ? nil : $0 }
    }

    /// The texts that ``decode(_:)`` refuses, in errors.
    package static let refusedTexts =
        "malformed percent-encoding or more than \(CombiningMarks.limit) combining marks in a row"

    /// As ``decode(_:)``, for long texts that are limited or split by bytes later.
    package static func decodeWithAnyMarks(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while !rest.isEmpty {
            guard let (byte, _) = Self.popDecoded(&rest) else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes the bytes of a path segment: all except unreserved characters.
    public static func encode(_ segment: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        for byte in segment {
            if Self.isUnreserved(byte) { bytes.append(byte) } else { Self.append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes all bytes but visible ASCII, which does not change a URL's meaning.
    package static func visible<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> String {
        guard !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        for byte in bytes {
            if (0x21...0x7E).contains(byte) { text.append(byte) } else { Self.append(byte, to: &text) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Whether encoding the byte does not change its meaning (RFC 3986, 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._~".utf8.contains(byte)
    }

    /// Removes the next byte of `text` and decodes it once; `nil` if a `%` is not followed by two hexadecimal digits.
    static func popDecoded(_ text: inout Substring.UTF8View) -> (byte: UInt8, wasEncoded: Bool)? {
        guard let byte = text.popFirst() else { return nil }
        guard byte == UInt8(ascii: "%") else { return (byte, false) }
        guard let high = text.popFirst()?.hexadecimalValue, let low = text.popFirst()?.hexadecimalValue else {
            return nil
        }
        return (high << 4 | low, true)
    }

    /// The maximum number of encodings that are checked.
    public static let decodingLimit = 8

    /// Whether a server may see a path segment `.` or `..` in `path`, however often it decodes it: some servers decode
    /// more than once, treat `\` as `/`, cut a segment at `;`, `?`, `#` or a zero byte, or accept overlong UTF-8.
    ///
    /// - Returns: Also true if the path was encoded more than ``decodingLimit`` times.
    public static func mayHoldDotSegment(_ path: some Sequence<UInt8>) -> Bool {
        Self.anyDecoding(of: path) { text in
            text.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains(where: Self.isDotSegment)
        }
    }

    /// Whether a server may see `/` or `\` in `segment`, however often it decodes it.
    public static func mayHoldSlash(_ segment: some Sequence<UInt8>) -> Bool {
        Self.anyDecoding(of: segment) { text in
            text.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        }
    }

    /// Whether the text meets the condition in any stage of decoding, or was encoded more than ``decodingLimit`` times.
    private static func anyDecoding(of text: some Sequence<UInt8>, satisfies condition: ([UInt8]) -> Bool) -> Bool {
        var text = Array(text)
        for _ in 0...Self.decodingLimit {
            if condition(text) { return true }
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

    /// Decodes once, leaving malformed encodings unchanged. Also decodes overlong UTF-8 of `.`, `/` and `\`.
    private static func decodedOnce(_ text: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = text[index + 1].hexadecimalValue, let low = text[index + 2].hexadecimalValue
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
}
