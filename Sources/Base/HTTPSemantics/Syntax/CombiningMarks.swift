/// Combining marks of Unicode that follow one another. Comparing and hashing a `String` sorts them, in quadratic time.
package enum CombiningMarks {
    /// The maximum number in a row, as in Unicode's Stream-Safe Text Format (UAX #15, 13).
    package static let limit = 30

    /// Whether a text has more than ``limit`` in a row, in linear time.
    package static func exceedLimit(in text: some StringProtocol) -> Bool {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var count = 0
        for scalar in text.unicodeScalars {
            // The first mark is U+0300.
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            count = isMark ? count + 1 : 0
            if count > Self.limit { return true }
        }
        return false
    }
}
