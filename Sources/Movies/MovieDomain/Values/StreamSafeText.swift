extension String {
    /// The maximal number of consecutive combining marks, as in the Stream-Safe Text Format (UAX #15, 13): more than
    /// any language needs.
    package static let combiningMarkLimit = 30

    /// Removes consecutive combining marks that exceed ``combiningMarkLimit``.
    ///
    /// To compare and hash strings, Swift sorts the marks of each letter in time quadratic in their number.
    package var streamSafe: String {
        // The UTF-8 of combining marks begins with 0xCC (U+0300) or a higher byte.
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

    /// The longest prefix of at most `limit` bytes of UTF-8.
    package func limited(toBytes limit: Int) -> String {
        let bytes = self.utf8
        guard bytes.count > limit else { return self }
        var end = bytes.index(bytes.startIndex, offsetBy: limit)
        // Inside a scalar.
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        return String(self[..<end])
    }
}

extension Unicode.Scalar {
    /// Whether canonical ordering may move the scalar (Unicode 3.11).
    fileprivate var isCombiningMark: Bool {
        switch self.value {
        // The ranges of most texts: Latin, ideographs, syllables of Hangul.
        case 0..<0x300, 0x4E00..<0xA000, 0xAC00..<0xD7A4: false
        default: self.properties.canonicalCombiningClass != .notReordered
        }
    }
}
