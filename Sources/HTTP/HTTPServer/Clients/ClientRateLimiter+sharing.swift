import Flights
import Synchronization

/// Charges of one client, to be sent to other nodes.
package struct ClientCharge: Sendable {
    /// The client: 9 bytes, the same on all nodes.
    package let client: [UInt8]
    /// Number of requests, less refunded ones.
    package let count: Int
    let key: ClientRateLimiter.Key
}

/// Sharing the limit with other nodes: each node admits by its own knowledge, periodically sends its charges, and
/// merges the charges of all nodes.
///
/// Requests never wait for this. Until its charges are sent, a node grants the whole burst to a client that it has not
/// seen: `n` nodes admit at most `n` bursts at once, and the rate of one node after that.
extension ClientRateLimiter {
    /// Maximum number of clients with collected charges, in all shards together.
    package static let collectedLimit = 4096
    static let collectedPerShard = ClientRateLimiter.collectedLimit / ClientRateLimiter.shardCount

    /// Time between requests at the sustained rate, in nanoseconds.
    package var chargeInterval: UInt64 { self.rateLimit.interval }

    /// Returns the charges since the last call, of at most ``collectedLimit`` clients.
    package func takeCharges() -> [ClientCharge] {
        var charges: [ClientCharge] = []
        for shard in self.shards { shard.state.withLock { $0.take(into: &charges) } }
        return charges
    }

    /// Returns the number of charges lost since the last call because too many clients had collected charges.
    package func takeUnlistedCount() -> Int {
        self.shards.reduce(0) { sum, shard in
            sum
                + shard.state.withLock { state in
                    defer { state.unlistedCount = 0 }
                    return state.unlistedCount
                }
        }
    }

    /// Raises a client's theoretical arrival time to the one shared by all nodes.
    /// - Parameter arrival: That time in nanoseconds from now, including the charges sent by this node.
    package func merge(_ charge: ClientCharge, arrival: UInt64) {
        let (shard, first) = self.set(of: charge.key)
        let moment = self.now().addingClamped(arrival)
        shard.state.withLock { state in
            for index in first..<(first + Self.placesPerSet) where state.places[index].client == charge.key {
                // Charges made since ``takeCharges()`` are not included in the merged time.
                let since = UInt64(max(0, state.places[index].newCharges)) * self.rateLimit.interval
                let merged = moment.addingClamped(since)
                state.places[index].arrivalTime = max(state.places[index].arrivalTime, merged)
            }
        }
    }
}

extension ClientRateLimiter.Shard.State {
    /// Assigns a place to another client; collected charges of the previous one are lost.
    mutating func replace(at index: Int, with client: ClientRateLimiter.Key, arrivalTime: UInt64) {
        let isListed = self.places[index].isListed
        self.unlistedCount += isListed ? Int(max(0, self.places[index].newCharges)) : 0
        self.places[index] = ClientRateLimiter.Place(client: client, arrivalTime: arrivalTime, isListed: isListed)
    }

    mutating func collect(_ count: Int32, at index: Int) {
        if !self.places[index].isListed {
            guard self.charged.count < ClientRateLimiter.collectedPerShard else {
                self.unlistedCount += Int(max(0, count))
                return
            }
            self.charged.append(UInt16(index))
            self.places[index].isListed = true
        }
        let (sum, isOver) = self.places[index].newCharges.addingReportingOverflow(count)
        if !isOver { self.places[index].newCharges = sum }
    }

    mutating func take(into charges: inout [ClientCharge]) {
        for index in self.charged.lazy.map(Int.init) {
            let place = self.places[index]
            self.places[index].isListed = false
            self.places[index].newCharges = 0
            guard place.newCharges != 0 else { continue }
            charges.append(
                ClientCharge(client: place.client.bytes, count: Int(place.newCharges), key: place.client))
        }
        self.charged.removeAll(keepingCapacity: true)
    }
}

extension ClientRateLimiter.Key {
    /// The kind, and the prefix in network byte order.
    fileprivate var bytes: [UInt8] {
        [self.kind.rawValue] + (0..<8).map { UInt8(truncatingIfNeeded: self.prefix >> UInt64(56 - 8 * $0)) }
    }
}
