/// A day of the Gregorian calendar, without a time or a zone.
public struct CalendarDate: Hashable, Sendable, CustomStringConvertible {
    public let year, month, day: Int

    /// Reads `YYYY-MM-DD`.
    ///
    /// - Returns: nil for any other text, and for days that do not exist.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), day >= 1, day <= Self.dayCount(of: month, in: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    private static func dayCount(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        let padded = { (number: Int, width: Int) in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return "\(padded(self.year, 4))-\(padded(self.month, 2))-\(padded(self.day, 2))"
    }
}
