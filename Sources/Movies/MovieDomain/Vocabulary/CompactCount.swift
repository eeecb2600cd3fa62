/// A count in a language's short form, rounded half up to one decimal: `402.8K`, `40.3만`, `40.3万`.
package struct CompactCount: Hashable, Sendable, CustomStringConvertible {
    /// Unabbreviated below 1000, in Korean and Japanese below 10,000.
    package let description: String

    private static let units = LocalisedName("만|억|조", "K|M|B", "万|億|兆")

    /// - Parameters:
    ///   - count: Negative counts are treated as 0.
    ///   - language: Determines the units; English if neither Korean nor Japanese is preferred.
    package init(_ count: Int, in language: LanguagePreference) {
        let count = max(0, count)
        let units = Self.units.text(in: language).wordsBetweenBars
        let step = units[0] == "K" ? 1000 : 10_000
        guard count >= step else {
            self.description = count.groupedByThousands
            return
        }
        var size = step
        var place = 0
        // Values that round to a thousand units use the next unit: 999,950 is 1M.
        while place + 1 < units.count, Self.tenths(count, of: size) >= 10 * step {
            size *= step
            place += 1
        }
        let tenths = Self.tenths(count, of: size)
        let decimal = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
        self.description = (tenths / 10).groupedByThousands + decimal + units[place]
    }

    private static func tenths(_ count: Int, of size: Int) -> Int {
        let (quotient, remainder) = count.quotientAndRemainder(dividingBy: size / 10)
        return quotient + (2 * remainder >= size / 10 ? 1 : 0)
    }
}
