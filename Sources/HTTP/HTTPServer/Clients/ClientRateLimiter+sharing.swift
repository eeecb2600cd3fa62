import Flights
import Synchronization

/// Charges of one client for other nodes.
package struct ClientCharge: Sendable {
    /// The client: 9 bytes, the same on all nodes.
    package let client: [UInt8]
    /// Requests, less those that were refunded.
    package let count: Int
    let key: ClientRateLimiter.Key
}

/// Sharing the limit with other nodes: each admits by what it knows, now and then sends what it has charged, and merges what all
/// have charged.
///
/// Requests never wait for it. Until its charges are sent a node has the whole burst for a client that it has not seen: `n` nodes
/// admit at most `n` bursts at once, and the rate of one after that.
extension ClientRateLimiter {
    /// The most clients of which charges are collected at once, in all shards together.
    package static let collectedLimit = 4096
    static let collectedPerShard = ClientRateLimiter.collectedLimit / ClientRateLimiter.shardCount

    /// From one request to the next at the rate, in nanoseconds.
    package var chargeInterval: UInt64 { self.rateLimit.interval }

    /// The charges since the last call, of at most ``collectedLimit`` clients.
    package func takeCharges() -> [ClientCharge] {
        var charges: [ClientCharge] = []
        for shard in self.shards { shard.state.withLock { $0.take(into: &charges) } }
        return charges
    }

    /// Charges that were lost because those of too many clients were collected, since the last call.
    package func takeUnlistedCount() -> Int {
        self.shards.reduce(0) { sum, shard in
            sum
                + shard.state.withLock { state in
                    defer { state.unlistedCount = 0 }
                    return state.unlistedCount
                }
        }
    }

    /// Raises a client's theoretical arrival time to that of all nodes together.
    /// - Parameter arrival: In how many nanoseconds it is, including what was sent of this node.
    package func merge(_ charge: ClientCharge, arrival: UInt64) {
        let (shard, first) = self.set(of: charge.key)
        let moment = self.now().addingClamped(arrival)
        shard.state.withLock { state in
            for index in first..<(first + Self.placesPerSet) where state.places[index].client == charge.key {
                // What was charged after it was taken is not among what all have charged.
                let since = UInt64(max(0, state.places[index].newCharges)) * self.rateLimit.interval
                let merged = moment.addingClamped(since)
                state.places[index].arrivalTime = max(state.places[index].arrivalTime, merged)
            }
        }
    }
}

extension ClientRateLimiter.Shard.State {
    /// Gives a place to another client; charges that were collected of the one before are lost.
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
