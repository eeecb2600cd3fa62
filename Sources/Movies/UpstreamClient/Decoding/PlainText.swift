import MovieDomain

/// Converts marked-up text to plain text, in time proportional to its length.
package enum PlainText {
    /// Removes markup, entities (including twice-escaped ones), and KMDb's marks of search matches.
    /// - Returns: `nil` if the result is empty.
    package static func of(_ text: String) -> String? {
        let marked = text.utf8.contains(UInt8(ascii: "!")) ? Self.withoutMatchMarks(text) : text
        var bytes = Array(marked.utf8)
        if bytes.contains(UInt8(ascii: "<")) { bytes = Self.withoutTags(bytes) }
        for _ in 0..<2 { bytes = HTMLEntities.decoded(bytes) ?? bytes }
        let plain = Self.trimmed(String(decoding: bytes, as: UTF8.self).streamSafe)
        return plain.isEmpty ? nil : plain
    }

    /// Removes white space and invisible characters at both ends.
    ///
    /// Works on scalars: finding the beginning of a character from its end takes time proportional to the preceding
    /// text.
    package static func trimmed(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !Self.isOuter($0) }),
            let last = scalars.lastIndex(where: { !Self.isOuter($0) })
        else { return "" }
        return String(text[first..<scalars.index(after: last)])
    }

    private static func isOuter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0, 9...13, 32, 0xFEFF, 0x200B: true
        case ..<128: false
        default: scalar.properties.isWhitespace
        }
    }

    /// Splits a list in a text, without empty parts and `N/A`; at most ``ResponseLimits/rows`` parts.
    package static func parts(of text: String?, separator: Character) -> [String] {
        let parts = (text ?? "").split(separator: separator, maxSplits: ResponseLimits.rows)
        return parts.prefix(ResponseLimits.rows).map { Self.trimmed($0) }.filter { !$0.isEmpty && $0 != "N/A" }
    }

    /// Removes match marks: ` !HS 살인의 !HE   !HS 추억 !HE ` becomes `살인의 추억`. A mark, `!HS` or `!HE`, includes a space on
    /// each side.
    private static func withoutMatchMarks(_ text: String) -> String {
        let (bytes, space) = (Array(text.utf8), UInt8(ascii: " "))
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        /// The end of the part that has been copied or skipped.
        var start = 0
        var hasMarks = false
        for index in bytes.indices.dropLast(2)
        where bytes[index] == UInt8(ascii: "!") && bytes[index + 1] == UInt8(ascii: "H") {
            guard "SE".utf8.contains(bytes[index + 2]) else { continue }
            hasMarks = true
            kept += bytes[start..<(index > start && bytes[index - 1] == space ? index - 1 : max(index, start))]
            start = index + 3
            if start < bytes.count, bytes[start] == space { start += 1 }
        }
        kept += bytes[start...]
        return hasMarks ? Self.collapsed(String(decoding: kept, as: UTF8.self)) : text
    }

    /// Collapses white space between words to one space, and removes it at both ends.
    private static func collapsed(_ text: String) -> String {
        var words = String.UnicodeScalarView()
        var isBetween = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isBetween = true
                continue
            }
            if isBetween, !words.isEmpty { words.append(" ") }
            isBetween = false
            words.append(scalar)
        }
        return String(words)
    }

    /// The removed tags: only tags of running text, because a film may be called `<Heat>`.
    private static let tags = Set(
        [
            "a", "b", "br", "div", "em", "font", "i", "p", "small", "span", "strong", "sub", "sup", "u",
        ].map { ShortName($0.utf8) })
    private static let breaks = Set(["br", "p"].map { ShortName($0.utf8) })

    private static let maxTagLength = 1024

    private static func withoutTags(_ text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        /// The end of the part that has been copied or skipped.
        var start = 0
        /// The first `>` after a `<`; one search serves all `<` before it.
        var close = -1
        for open in text.indices where text[open] == UInt8(ascii: "<") && open >= start {
            if close < open { close = text[open...].firstIndex(of: UInt8(ascii: ">")) ?? text.count }
            guard close < text.count else { break }
            guard close - open < Self.maxTagLength, let name = Self.tagName(text[(open + 1)..<close]) else { continue }
            kept += text[start..<open]
            if Self.breaks.contains(name) { kept.append(UInt8(ascii: "\n")) }
            start = close + 1
        }
        return kept + text[start...]
    }

    /// The name of a tag in ``tags`` between its angle brackets; `nil` for other text.
    private static func tagName(_ inner: ArraySlice<UInt8>) -> ShortName? {
        let named = inner.drop { $0 == UInt8(ascii: "/") }
        let end = named.firstIndex { !(48...57).contains($0) && !(97...122).contains($0 | 32) } ?? named.endIndex
        let name = named[..<end]
        guard (1...ShortName.maxLength).contains(name.count) else { return nil }
        let short = ShortName(name.lazy.map { $0 | 32 })
        return Self.tags.contains(short) ? short : nil
    }
}
