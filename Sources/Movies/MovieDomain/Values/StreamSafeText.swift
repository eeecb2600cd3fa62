extension String {
    /// The most combining marks in a row that are kept, as in the Stream-Safe Text Format (UAX #15, 13): more than any language needs.
    package static let combiningMarkLimit = 30

    /// The text without the combining marks that exceed ``combiningMarkLimit`` in a row.
    ///
    /// To compare and hash strings, Swift sorts the marks of each letter, in time that grows with the square of their number.
    package var streamSafe: String {
        // No combining mark begins with a lower byte than U+0300 does.
        guard self.utf8.contains(where: { $0 >= 0xCC }) else { return self }
        var marks = 0
        var hasExcess = false
        for scalar in self.unicodeScalars {
            marks = scalar.isCombiningMark ? marks + 1 : 0
            if marks > Self.combiningMarkLimit {
                hasExcess = true
                break
            }
        }
        guard hasExcess else { return self }
        marks = 0
        var kept = String.UnicodeScalarView()
        for scalar in self.unicodeScalars {
            marks = scalar.isCombiningMark ? marks + 1 : 0
            if marks <= Self.combiningMarkLimit { kept.append(scalar) }
        }
        return String(kept)
    }

    /// The longest beginning of at most so many bytes in UTF-8.
    package func limited(toBytes limit: Int) -> String {
        let bytes = self.utf8
        guard bytes.count > limit else { return self }
        var end = bytes.index(bytes.startIndex, offsetBy: limit)
        // Within a scalar.
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        return String(self[..<end])
    }
}

extension Unicode.Scalar {
    /// Whether canonical ordering may move it (Unicode 3.11).
    fileprivate var isCombiningMark: Bool {
        switch self.value {
        // Most texts are of these: Latin, ideographs, syllables of Hangul.
        case 0..<0x300, 0x4E00..<0xA000, 0xAC00..<0xD7A4: false
        default: self.properties.canonicalCombiningClass != .notReordered
        }
    }
}
