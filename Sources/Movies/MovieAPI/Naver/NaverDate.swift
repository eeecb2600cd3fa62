import MovieDomain

/// A moment as Naver writes it: RFC 822 with the year of RFC 1123, in Korean time, such as `Mon, 19 Nov 2018 09:37:47 +0900`.
enum NaverDate {
    private static let secondsFromGreenwich: Int64 = 9 * 3600
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func text(_ instant: Instant) -> String {
        let date = instant.date(secondsFromGreenwich: Self.secondsFromGreenwich)
        let second = instant.secondsSince1970 + Self.secondsFromGreenwich - Int64(date.dayNumber) * 86_400
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let day = date.day < 10 ? "0\(date.day)" : "\(date.day)"
        return "\(Self.weekdays[date.weekday - 1]), \(day) \(Self.months[date.month - 1]) \(date.year) "
            + "\(time.joined(separator: ":")) +0900"
    }
}
