extension BoxOfficePeriod {
    /// Of Seoul east of Greenwich, in seconds: its days begin there.
    public static let secondsFromGreenwich: Int64 = 9 * 3600

    /// Whether all of its days are over, so that no figures are still to come.
    public func isOver(at instant: Instant) -> Bool {
        self.to < instant.date(secondsFromGreenwich: Self.secondsFromGreenwich)
    }

    /// How long yesterday stays yesterday: until midnight in Seoul.
    ///
    /// - Returns: 1 to 86,400.
    public static func secondsUntilMidnight(at instant: Instant) -> Int64 {
        let local = instant.secondsSince1970 + Self.secondsFromGreenwich
        let midnight = Int64(instant.date(secondsFromGreenwich: Self.secondsFromGreenwich).dayNumber + 1) * 86_400
        return midnight - local
    }
}
