/// A date of HTTP (RFC 9110, 5.6.7), in any of its three forms.
enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// In seconds since 1970; nil for what is no date.
    static func secondsSince1970(_ text: String) -> Int64? {
        // "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT" or "Sun Nov  6 08:49:37 1994".
        let words = text.split { " ,-:".contains($0) }.map(String.init)
        let order: [Int]
        switch words.count {
        case 8 where words[7] == "GMT": order = [1, 2, 3, 4, 5, 6]
        case 7: order = [2, 1, 6, 3, 4, 5]
        default: return nil
        }
        guard let month = self.months.firstIndex(of: words[order[1]].lowercased()) else { return nil }
        var numbers: [Int64] = []
        for place in [order[0], order[2], order[3], order[4], order[5]] {
            guard words[place].utf8.count <= 4, let number = Int64(words[place]), number >= 0 else { return nil }
            numbers.append(number)
        }
        let (day, hour, minute, second) = (numbers[0], numbers[2], numbers[3], numbers[4])
        // Two digits mean the century that makes the date possible.
        let year = words[order[2]].utf8.count == 2 ? numbers[1] + (numbers[1] < 70 ? 2000 : 1900) : numbers[1]
        guard year >= 1601, (1...31).contains(day), hour < 24, minute < 60, second <= 60 else { return nil }
        let days = Self.daysSince1970(year: year, month: Int64(month) + 1, day: day)
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// In the Gregorian calendar. Years begin in March, so that the leap day is their last.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
