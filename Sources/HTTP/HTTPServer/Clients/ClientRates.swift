import InternetAddress
import Synchronization

/// How much each client may ask for: so many requests a second, and so many at once after a rest. Safe from any thread.
///
/// A client is an IPv4 address, or the first half of one of IPv6: a household has as many of the second half as it likes.
///
/// What a client has spent is one number, the time when it will have nothing to its debt any more, in a place of a table
/// that never grows. A client's number is in one of ``placesPerSet`` places that its hash points to; the hash has a seed
/// of this process, so that nobody can choose addresses that meet. A newcomer takes the place of who owes least, which is
/// nobody at all while one of them has paid. So a client that has spent everything is forgotten only when as many others
/// of its places owe as much as it does: to get there on purpose takes tens of thousands of addresses that each spend
/// their whole burst in the time that the burst takes to come back, and what is won is one more burst.
///
/// A request costs one hash and one short lock, and allocates nothing.
public final class ClientRates: Sendable {
    /// How much.
    public struct Limit: Hashable, Sendable {
        /// Requests in a period.
        public let rate: Int
        /// The period, in seconds: 1 unless something is rarer than that.
        public let seconds: Int
        /// Requests at once.
        public let burst: Int

        /// - Parameters:
        ///   - rate: From 1 to 1,000,000.
        ///   - burst: The same; four times the rate by default, but at least 20.
        public init(rate: Int, burst: Int? = nil) {
            let allowed = 1...1_000_000
            precondition(allowed.contains(rate) && burst.map(allowed.contains) ?? true, "must be from 1 to 1,000,000")
            self.rate = rate
            self.seconds = 1
            self.burst = burst ?? min(allowed.upperBound, max(20, 4 * rate))
        }

        /// One in so many seconds.
        ///
        /// - Parameters:
        ///   - seconds: From 1 to 86,400.
        ///   - burst: From 1 to 1000.
        public init(oneInSeconds seconds: Int, burst: Int) {
            precondition((1...86_400).contains(seconds), "must be from 1 to 86,400 seconds")
            precondition((1...1000).contains(burst), "must be from 1 to 1000 at once")
            self.rate = 1
            self.seconds = seconds
            self.burst = burst
        }

        /// From one request to the next at the rate, in nanoseconds.
        var interval: UInt64 { 1_000_000_000 * UInt64(self.seconds) / UInt64(self.rate) }
    }

    /// Clients that are remembered.
    public static let clientLimit = 65_536
    static let placesPerSet = 8
    private static let shardCount = 16
    private static let setsPerShard = ClientRates.clientLimit / ClientRates.placesPerSet / ClientRates.shardCount

    private struct Place {
        var client: Key
        /// When it will have paid, in nanoseconds: what it has sent, at an interval each, from when it had paid last.
        var paidTime: UInt64
    }

    private final class Shard: Sendable {
        let places = Mutex(
            Array(
                repeating: Place(client: .nobody, paidTime: 0),
                count: ClientRates.setsPerShard * ClientRates.placesPerSet))
    }

    /// What is allowed.
    public let limit: Limit
    private let shards = (0..<ClientRates.shardCount).map { _ in Shard() }
    /// From one request to the next at the rate, in nanoseconds.
    private let interval: UInt64
    /// What may be owed, in nanoseconds.
    private let credit: UInt64
    private let now: @Sendable () -> UInt64

    /// - Parameter now: In nanoseconds, since any moment; never back.
    public init(_ limit: Limit, now: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.interval = limit.interval
        self.credit = self.interval * UInt64(limit.burst)
        self.now = now
    }

    /// Counts a request, if it is allowed.
    ///
    /// - Returns: nil when it is; else how long until one is. A request that is not allowed counts for nothing.
    public func refusal(of client: ClientAddress) -> Duration? {
        let key = Key(client)
        let (shard, first) = self.set(of: key)
        let wait = self.wait(of: key, in: shard, from: first, now: self.now())
        return wait == 0 ? nil : .nanoseconds(Int64(wait))
    }

    /// A request that was counted is counted elsewhere once more: here it counts no longer.
    package func takeBack(from client: ClientAddress) {
        let key = Key(client)
        let (shard, first) = self.set(of: key)
        shard.places.withLock { places in
            // Whoever is not found was forgotten, and owes nothing.
            for index in first..<(first + Self.placesPerSet) where places[index].client == key {
                places[index].paidTime -= min(self.interval, places[index].paidTime)
            }
        }
    }

    /// - Returns: A client's shard, and the first of its places in it.
    private func set(of key: Key) -> (Shard, Int) {
        let hash = key.hashValue
        let first = (hash >> 8) & (Self.setsPerShard - 1)
        return (self.shards[hash & (Self.shardCount - 1)], first * Self.placesPerSet)
    }

    private func wait(of key: Key, in shard: Shard, from first: Int, now: UInt64) -> UInt64 {
        shard.places.withLock { places in
            var index = first
            for candidate in first..<(first + Self.placesPerSet) {
                if places[candidate].client == key {
                    index = candidate
                    break
                }
                if places[candidate].paidTime < places[index].paidTime { index = candidate }
            }
            let owed = places[index].client == key ? max(places[index].paidTime, now) - now : 0
            guard owed + self.interval <= self.credit else { return owed + self.interval - self.credit }
            places[index] = Place(client: key, paidTime: now + owed + self.interval)
            return 0
        }
    }
}

extension ClientRates {
    /// Those who share what is allowed.
    struct Key: Hashable {
        enum Kind: UInt8 { case nobody, unknown, unixSocket, v4, v6 }
        let kind: Kind
        let prefix: UInt64

        static let nobody = Self(kind: .nobody, prefix: 0)

        private init(kind: Kind, prefix: UInt64) {
            self.kind = kind
            self.prefix = prefix
        }

        init(_ client: ClientAddress) {
            switch client {
            case .host(.v4(let number)): self.init(kind: .v4, prefix: UInt64(number))
            case .host(.v6(let number)): self.init(kind: .v6, prefix: UInt64(number >> 64))
            case .unixSocket: self.init(kind: .unixSocket, prefix: 0)
            case .unknown: self.init(kind: .unknown, prefix: 0)
            }
        }
    }
}
