import Flights

/// The transfers that have a connection, and a queue of transfers that wait for one, by urgency and then arrival.
///
/// libcurl could queue them itself, but 7.88.1, which Debian 12 has, does not always wake waiting transfers: against
/// nghttpd 1.52, in 12 of 150 bursts of 200 fetches all of them waited until a timeout, with every connection idle. So
/// libcurl never gets more transfers than the number of connections allowed.
///
/// Admitting, and removing a waiting transfer, is O(waiting transfers); everything else is O(1).
struct ConnectionQueue {
    private let configuration: FetchConfiguration
    private let connectionBound: Int
    private var waiting: [(id: UInt64, origin: Origin.Key, urgency: Urgency)] = []
    private var admitted: [UInt64: Origin.Key] = [:]
    /// Counts by origin; entries of 0 are removed.
    private var admittedCounts: [Origin.Key: Int] = [:]

    /// - Parameter configuration: Limits below 1 count as 1.
    init(_ configuration: FetchConfiguration) {
        self.configuration = configuration
        self.connectionBound = configuration.connectionBound
    }

    /// Adds a transfer that is not in the queue.
    mutating func join(_ id: UInt64, origin: Origin.Key, urgency: Urgency) {
        self.waiting.append((id, origin, urgency))
    }

    /// Admits the first of the most urgent transfers to origins with a free connection, and returns its id; `nil` if
    /// there is none.
    mutating func admitNext() -> UInt64? {
        guard self.admitted.count < self.connectionBound else { return nil }
        var next: (index: Int, level: Urgency.Level)?
        for (index, entry) in self.waiting.enumerated() where self.hasConnection(for: entry.origin) {
            let level = entry.urgency.level
            if next == nil || level > next!.level { next = (index, level) }
        }
        guard let next else { return nil }
        let (id, origin, _) = self.waiting.remove(at: next.index)
        self.admitted[id] = origin
        self.admittedCounts[origin, default: 0] += 1
        return id
    }

    /// Removes a waiting or admitted transfer; has no effect for an unknown id.
    mutating func leave(_ id: UInt64) {
        guard let origin = self.admitted.removeValue(forKey: id) else {
            return self.waiting.removeAll { $0.id == id }
        }
        let count = self.admittedCounts[origin, default: 0] - 1
        self.admittedCounts[origin] = count > 0 ? count : nil
    }

    private func hasConnection(for origin: Origin.Key) -> Bool {
        let limits = self.configuration.limits(forHost: origin.host, port: origin.port)
        return self.admittedCounts[origin, default: 0] < max(1, limits.maxConnections)
    }
}
