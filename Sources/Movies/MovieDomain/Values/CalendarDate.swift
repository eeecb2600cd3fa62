/// A day of the Gregorian calendar, without time or time zone.
package struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The valid years; any other year of a film is treated as unknown.
    package static let years = 0...9999

    /// Year (0 to 9999), month and day.
    package let year, month, day: Int

    /// Reads `YYYY-MM-DD`.
    /// - Returns: `nil` for other formats, and for days that do not exist.
    package init?(_ text: String) {
        guard text.utf8.count == 10 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// - Returns: `nil` for days that do not exist, and years outside ``years``.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.dayCount(of: month, in: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a day from its distance to 1970-01-01 in days, clamped to the years 0 to 9999.
    /// Algorithm: Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013); years begin in March.
    package init(dayNumber: Int) {
        let shifted = min(max(dayNumber, -719_528), 2_932_896) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        self.month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    }

    /// The distance from 1970-01-01 in days.
    package var dayNumber: Int {
        let year = self.month <= 2 ? self.year - 1 : self.year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (self.month > 2 ? self.month - 3 : self.month + 9) + 2) / 5 + self.day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    package var weekday: Int {
        let days = (self.dayNumber + 3) % 7
        return (days < 0 ? days + 7 : days) + 1
    }

    package func adding(days: Int) -> CalendarDate { CalendarDate(dayNumber: self.dayNumber + days) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func dayCount(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package var description: String {
        let padded = { (number: Int, width: Int) in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return "\(padded(self.year, 4))-\(padded(self.month, 2))-\(padded(self.day, 2))"
    }
}

/// A time in UTC, in whole seconds.
package struct Instant: Hashable, Sendable, Comparable {
    /// The years 0 to 9999, as in ``CalendarDate``: differences never overflow.
    private static let range = Int64(-62_167_219_200)...253_402_300_799

    /// Unix time, which ignores leap seconds.
    package let secondsSince1970: Int64

    /// - Parameter secondsSince1970: Clamped to the years 0 to 9999.
    package init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(max(secondsSince1970, Self.range.lowerBound), Self.range.upperBound)
    }

    package static func < (left: Self, right: Self) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// The calendar day at an offset east of UTC in seconds.
    package func date(secondsFromGreenwich: Int64 = 0) -> CalendarDate {
        let seconds = self.secondsSince1970 + secondsFromGreenwich
        return CalendarDate(dayNumber: Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400))
    }
}

extension Instant {
    /// The offset of Seoul from UTC in seconds.
    package static let seoulSecondsFromGreenwich: Int64 = 9 * 3600

    /// The calendar day in Seoul, which box offices use.
    package var dateInSeoul: CalendarDate { self.date(secondsFromGreenwich: Self.seoulSecondsFromGreenwich) }

    /// The seconds until midnight at an offset east of UTC: 1 to 86,400.
    package func secondsUntilMidnight(secondsFromGreenwich: Int64 = Instant.seoulSecondsFromGreenwich) -> Int64 {
        let tomorrow = Int64(self.date(secondsFromGreenwich: secondsFromGreenwich).dayNumber + 1) * 86_400
        return tomorrow - secondsFromGreenwich - self.secondsSince1970
    }
}

extension Instant: CustomStringConvertible {
    /// The time in RFC 3339 format, such as `2026-01-31T09:05:00Z`.
    package var description: String {
        let day = self.date()
        let second = Int(self.secondsSince1970) - day.dayNumber * 86_400
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(day)T\(parts.joined(separator: ":"))Z"
    }
}

extension CalendarDate {
    package var startInSeoul: Instant {
        Instant(secondsSince1970: Int64(self.dayNumber) * 86_400 - Instant.seoulSecondsFromGreenwich)
    }
}
