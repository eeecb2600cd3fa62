import Glibc

/// HTTP dates (RFC 9110, 5.6.7): parses all three forms, writes IMF-fixdate.
public enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// Beginning with Sunday, like `tm_wday`.
    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let lengthLimit = 64

    /// Parses a date in any of the three forms that recipients must accept; the day of the week is not verified.
    ///
    /// - Returns: Seconds since 1970; `nil` if the text is no date.
    public static func seconds(_ text: String) -> Int64? {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let words = text.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
        guard let first = words.first, Self.days.contains(where: first.hasPrefix) else { return nil }
        switch words.count {
        // Sunday, 06-Nov-94 08:49:37 GMT (RFC 850)
        case 4 where words[3] == "gmt":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3 else { return nil }
            return Self.seconds(day: date[0], date[1], year: date[2], time: words[2])
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[5] == "gmt": return Self.seconds(day: words[1], words[2], year: words[3], time: words[4])
        // Sun Nov  6 08:49:37 1994 (C's asctime)
        case 5: return Self.seconds(day: words[2], words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static func seconds(day: String, _ monthName: String, year yearText: String, time: String) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard yearText.utf8.count != 3, let day = Self.number(day[...], 1...2),
            let month = Self.months.firstIndex(of: monthName),
            var year = Self.number(yearText[...], 2...4), clock.count == 3, let hour = Self.number(clock[0], 2...2),
            let minute = Self.number(clock[1], 2...2), let second = Self.number(clock[2], 2...2),
            minute < 60, second <= 60
        else { return nil }
        // Two-digit years are 1970...2069. The RFC's rule is relative: years more than 50 years ahead belong to the
        // past.
        if yearText.utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(min(second, 59)))
        let seconds = timegm(&parts)
        // timegm moves a day that the month lacks into the next month, and an hour that the day lacks into the next day.
        // A leap second counts as the next minute's first second.
        return parts.tm_mday == Int32(day) ? Int64(seconds) + (second == 60 ? 1 : 0) : nil
    }

    private static func number(_ text: Substring, _ lengths: ClosedRange<Int>) -> Int? {
        guard lengths.contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    /// Seconds since 1970 from the kernel's coarse clock, which is exact to about 4 ms and cheap enough for every
    /// response.
    public static func currentSecond() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }

    /// The date as IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter second: Seconds since 1970, before the year 10000.
    public static func text(_ second: Int) -> String {
        var (time, parts) = (time_t(second), tm())
        gmtime_r(&time, &parts)
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Self.days[Int(parts.tm_wday)].capitalisedFirst), \(two(parts.tm_mday))"
        let month = Self.months[Int(parts.tm_mon)].capitalisedFirst
        return
            "\(day) \(month) \(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}

extension String {
    fileprivate var capitalisedFirst: String { self.prefix(1).uppercased() + self.dropFirst() }
}
