package import MovieDomain

/// A day, an instant or only a year, in any format that services send.
///
/// Reads `yyyy-MM-dd`, `yyyyMMdd` and `yyyy` (00 stands for an unknown month or day), ISO 8601 with or without
/// fractions and zone, `yyyy-MM-dd HH:mm:ss UTC`, RFC 822 (`Wed, 05 Nov 2021 10:00:00 +0900`), and `05 Nov 2021`.
package struct TolerantDate: Hashable {
    /// 1 to 9999.
    package let year: Int
    /// The day as written, in any time zone; `nil` if month or day is unknown.
    package let date: CalendarDate?
    /// The time in UTC, which is assumed without an offset; `nil` if there is no time of day.
    package let instant: Instant?

    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var reader = DateReader(text)
        guard let day = reader.day(), day.year > 0 else { return nil }
        self.year = day.year
        self.date = CalendarDate(year: day.year, month: day.month, day: day.day)
        guard let date = self.date, let seconds = reader.timeOfDay() else {
            self.instant = nil
            return
        }
        let zone = reader.secondsFromGreenwich() ?? 0
        self.instant = Instant(secondsSince1970: Int64(date.dayNumber) * 86_400 + Int64(seconds - zone))
    }

    /// The first four digits of a text such as `2011–2019`, if they are a year from 1870 to 2200.
    package static func year(of text: String) -> Int? {
        guard let start = text.firstIndex(where: { ("0"..."9").contains($0) }) else { return nil }
        let digits = text[start...].prefix { ("0"..."9").contains($0) }
        guard digits.utf8.count == 4, let year = Int(digits), (1870...2200).contains(year) else { return nil }
        return year
    }
}

/// Parses a date from the beginning of a text.
private struct DateReader {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private var rest: Substring.UTF8View

    init(_ text: String) {
        self.rest = Substring(PlainText.trimmed(text)).utf8
    }

    /// Missing months and days are 0.
    mutating func day() -> (year: Int, month: Int, day: Int)? {
        if let named = self.namedDay() { return named }
        let digits = self.digits(atMost: 8)
        switch digits.utf8.count {
        case 8:
            guard let number = Int(digits) else { return nil }
            return (number / 10_000, number / 100 % 100, number % 100)
        case 4:
            guard let year = Int(digits) else { return nil }
            guard let separator = self.rest.first, "-./".utf8.contains(separator) else {
                return self.rest.isEmpty ? (year, 0, 0) : nil
            }
            self.rest.removeFirst()
            guard let month = Int(self.digits(atMost: 2)) else { return nil }
            guard self.rest.first == separator else { return self.rest.isEmpty ? (year, month, 0) : nil }
            self.rest.removeFirst()
            guard let day = Int(self.digits(atMost: 2)) else { return nil }
            return (year, month, day)
        default: return nil
        }
    }

    /// `Wed, 05 Nov 2021`, with or without the day of the week.
    private mutating func namedDay() -> (year: Int, month: Int, day: Int)? {
        let start = self.rest
        if !self.letters().isEmpty { self.skip(", ") }
        if let day = Int(self.digits(atMost: 2)), self.skip(" -") {
            if let month = Self.months.firstIndex(of: String(self.letters().prefix(3))), self.skip(" -") {
                let year = self.digits(atMost: 4)
                if year.utf8.count == 4, let year = Int(year) { return (year, month + 1, day) }
            }
        }
        self.rest = start
        return nil
    }

    /// The time of day in seconds; `nil` if none follows.
    mutating func timeOfDay() -> Int? {
        guard self.skip("Tt "), let hour = Int(self.digits(atMost: 2)), hour < 24, self.skip(":"),
            let minute = Int(self.digits(atMost: 2)), minute < 60
        else { return nil }
        var second = 0
        if self.skip(":") {
            guard let read = Int(self.digits(atMost: 2)), read <= 60 else { return nil }
            second = min(read, 59)
            if self.skip(".,") { _ = self.digits(atMost: 12) }
        }
        return hour * 3600 + minute * 60 + second
    }

    /// The offset in seconds; `nil` if none follows. Names of zones are ignored.
    mutating func secondsFromGreenwich() -> Int? {
        self.skip(" ")
        guard let sign = self.rest.first, sign == 43 || sign == 45 else { return nil }
        self.rest.removeFirst()
        guard let hours = Int(self.digits(atMost: 2)), hours <= 18 else { return nil }
        self.skip(":")
        let minutes = Int(self.digits(atMost: 2)) ?? 0
        guard minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == 43 ? 1 : -1)
    }

    private mutating func digits(atMost count: Int) -> String { self.take(count) { (48...57).contains($0) } }

    private mutating func letters() -> String {
        self.take(12) { (97...122).contains($0 | 32) }.lowercased()
    }

    private mutating func take(_ count: Int, while isPart: (UInt8) -> Bool) -> String {
        let taken = self.rest.prefix(count).prefix(while: isPart)
        self.rest = self.rest.dropFirst(taken.count)
        return String(Substring(taken))
    }

    @discardableResult
    private mutating func skip(_ characters: String) -> Bool {
        let before = self.rest.count
        self.rest = self.rest.drop { characters.utf8.contains($0) }
        return self.rest.count < before
    }
}
