import Glibc

/// The time of day as logs tell it.
enum LogTime {
    /// `2026-03-01T12:00:00.123Z` (RFC 3339).
    ///
    /// - Parameter time: Since 1970, before the year 10000.
    static func text(_ time: timespec) -> String {
        var (second, parts) = (time.tv_sec, tm())
        gmtime_r(&second, &parts)
        let date = "\(1900 + parts.tm_year)-\(Self.digits(parts.tm_mon + 1, 2))-\(Self.digits(parts.tm_mday, 2))"
        let clock =
            "\(Self.digits(parts.tm_hour, 2)):\(Self.digits(parts.tm_min, 2)):\(Self.digits(parts.tm_sec, 2))"
        return "\(date)T\(clock).\(Self.digits(Int32(time.tv_nsec / 1_000_000), 3))Z"
    }

    private static func digits(_ number: Int32, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
