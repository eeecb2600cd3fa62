/// A moment in universal time, in whole seconds.
public struct Instant: Hashable, Sendable, Comparable {
    /// Without leap seconds.
    public let secondsSince1970: Int64

    /// So many seconds after the beginning of 1970.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// By time.
    public static func < (left: Self, right: Self) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// The day that it is at this distance east of Greenwich, in seconds.
    public func date(secondsFromGreenwich: Int64 = 0) -> CalendarDate {
        let seconds = self.secondsSince1970 + secondsFromGreenwich
        return CalendarDate(dayNumber: Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400))
    }
}

extension Instant: CustomStringConvertible {
    /// As RFC 3339 writes it, such as `2026-01-31T09:05:00Z`.
    public var description: String {
        let day = self.date()
        let second = Int(self.secondsSince1970) - day.dayNumber * 86_400
        let parts = [second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(day)T\(parts.joined(separator: ":"))Z"
    }
}
