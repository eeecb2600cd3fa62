import Flights

/// Which transfers may have a connection, and which wait for one: the most urgent first, then in the order of arrival.
///
/// libcurl could do that itself, but 7.88.1, which Debian 12 has, forgets to wake who waits: against nghttpd 1.52, in 12 of
/// 150 bursts of 200 fetches everyone waited until a timeout, all connections idle. So it never gets more transfers than
/// there may be connections.
///
/// Admitting is O(n) in those that wait; everything else that is not the end of one that waits is O(1).
struct ConnectionQueue {
    /// What connections are counted by.
    struct Host: Hashable {
        let name: String
        let port: UInt16
    }

    private let configuration: FetchConfiguration
    private let connectionBound: Int
    private var waiting: [(id: UInt64, host: Host, urgency: Urgency)] = []
    private var admitted: [UInt64: Host] = [:]
    /// Never 0.
    private var admittedCounts: [Host: Int] = [:]

    /// - Parameter configuration: A limit below 1 is read as 1.
    init(_ configuration: FetchConfiguration) {
        self.configuration = configuration
        self.connectionBound = configuration.connectionBound
    }

    /// Adds one that is not in the queue.
    mutating func join(_ id: UInt64, host: Host, urgency: Urgency) {
        self.waiting.append((id, host, urgency))
    }

    /// Admits the most urgent one whose host has a connection left, the first among equals; nil if there is none.
    mutating func admitNext() -> UInt64? {
        guard self.admitted.count < self.connectionBound else { return nil }
        var next: (index: Int, level: Urgency.Level)?
        for (index, entry) in self.waiting.enumerated() where self.hasConnection(for: entry.host) {
            let level = entry.urgency.level
            if next == nil || level > next!.level { next = (index, level) }
        }
        guard let next else { return nil }
        let (id, host, _) = self.waiting.remove(at: next.index)
        self.admitted[id] = host
        self.admittedCounts[host, default: 0] += 1
        return id
    }

    /// Takes one out, whether it waits, was admitted or is not here at all.
    mutating func leave(_ id: UInt64) {
        guard let host = self.admitted.removeValue(forKey: id) else {
            return self.waiting.removeAll { $0.id == id }
        }
        let count = self.admittedCounts[host, default: 0] - 1
        self.admittedCounts[host] = count > 0 ? count : nil
    }

    private func hasConnection(for host: Host) -> Bool {
        let limit = max(1, self.configuration.limits(forHost: host.name).maxConnections)
        return self.admittedCounts[host, default: 0] < limit
    }
}

extension FetchURL {
    /// What its connections are counted by.
    var connectionHost: ConnectionQueue.Host { ConnectionQueue.Host(name: self.host, port: self.port) }
}
