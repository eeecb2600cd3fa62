import Glibc

/// The time of day as answers tell it (RFC 9110, 5.6.7).
enum HTTPDateText {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Since 1970, by the clock of the kernel that costs least to read.
    static func currentSecond() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.tv_sec
    }

    /// - Parameter second: Since 1970, before the year 10000.
    static func text(_ second: Int) -> String {
        var (time, parts) = (time_t(second), tm())
        gmtime_r(&time, &parts)
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Self.days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(Self.months[Int(parts.tm_mon)])"
        return "\(day) \(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
