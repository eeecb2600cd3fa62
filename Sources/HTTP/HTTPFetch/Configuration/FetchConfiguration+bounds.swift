/// What counts in the end: no origin alone can take all there is.
extension FetchConfiguration {
    /// So many origins at their limits it takes to use up what there is for all.
    static let minOriginsToSaturate = 4

    /// Fetches under way at once, of all origins: ``maxTransfers``, but at least four times any origin's.
    var transferBound: Int { self.bound(self.maxTransfers, each: \.maxFetches) }

    /// Fetches that wait for their turn, of all origins: ``maxWaiting``, but at least four times any origin's.
    var waitingBound: Int { self.bound(self.maxWaiting, each: \.maxWaiting) }

    /// Connections to all hosts: ``maxConnections``, but at least four times any origin's.
    var connectionBound: Int { self.bound(self.maxConnections, each: \.maxConnections) }

    /// How long a hop has to be in libcurl's hands before the end of the whole time is the origin's failure: half of what
    /// an answer may be too slow for, or half of the whole time if that is less.
    var minExposure: Duration { min(self.lowSpeedDuration, self.totalTimeout) / 2 }

    /// - Parameter limit: Below 1 counts as 1.
    private func bound(_ total: Int, each limit: KeyPath<OriginLimits, Int>) -> Int {
        let limits = self.originLimitsByHost.values.map { $0[keyPath: limit] } + [self.originLimits[keyPath: limit]]
        let largest = max(1, limits.max() ?? 1)
        let (least, overflow) = largest.multipliedReportingOverflow(by: Self.minOriginsToSaturate)
        return max(total, overflow ? .max : least)
    }
}
