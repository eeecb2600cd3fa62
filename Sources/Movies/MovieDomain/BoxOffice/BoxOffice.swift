/// What people went to see.
public struct BoxOffice: Hashable, Sendable {
    /// Whose it is.
    public let source: MovieSource
    /// The days that it is of.
    public let period: BoxOfficePeriod
    /// By rank; empty when nothing is known of the period.
    public let entries: [BoxOfficeEntry]

    /// What people went to see.
    public init(source: MovieSource, period: BoxOfficePeriod, entries: [BoxOfficeEntry]) {
        self.source = source
        self.period = period
        self.entries = entries
    }
}
