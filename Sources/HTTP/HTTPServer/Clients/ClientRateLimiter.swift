import Flights
import InternetAddress
import Synchronization

/// Limits the requests of each client by the generic cell rate algorithm (``RateLimit``). Thread-safe.
///
/// A client is an IPv4 address, or the /64 network of an IPv6 address: a household can use any number of addresses in
/// its /64.
///
/// Uses its own table instead of a `BoundedCache`, because every request on the fast path is charged here: a charge
/// takes 400 instructions, and 2,200 to 3,500 with an `LRUMap` in the same shards, of the 40,000 of a hit (callgrind,
/// -O, 1 and 10,000 clients). Its memory is fixed (``clientLimit`` places). A client's hash selects a set of
/// ``placesPerSet`` places; the hash is seeded per process, so that colliding addresses cannot be chosen. A new client
/// replaces the one with the earliest arrival time in the set, which has its full burst again unless the whole set is
/// in debt. Evicting a client in debt takes tens of thousands of addresses that each spend a whole burst within the
/// time in which a burst is restored, and gains one more burst.
package final class ClientRateLimiter: Sendable {
    package struct Limit: Hashable, Sendable {
        package let rate: Int
        /// The period of ``rate``, in seconds.
        package let seconds: Int
        package let burst: Int

        /// A rate per second.
        /// - Parameters:
        ///   - rate: From 1 to 1,000,000.
        ///   - burst: From 1 to 1,000,000; four times the rate by default, but at least 20.
        package init(rate: Int, burst: Int? = nil) {
            let allowed = 1...1_000_000
            precondition(allowed.contains(rate) && burst.map(allowed.contains) ?? true, "must be from 1 to 1,000,000")
            self.rate = rate
            self.seconds = 1
            self.burst = burst ?? min(allowed.upperBound, max(20, 4 * rate))
        }

        /// A rate per period.
        /// - Parameters:
        ///   - rate: From 1 to 1,000,000.
        ///   - seconds: From 1 to 86,400.
        ///   - burst: From 1 to 1,000,000.
        package init(rate: Int, inSeconds seconds: Int, burst: Int) {
            let allowed = 1...1_000_000
            precondition(allowed.contains(rate) && allowed.contains(burst), "must be from 1 to 1,000,000")
            precondition((1...86_400).contains(seconds), "must be from 1 to 86,400 seconds")
            self.rate = rate
            self.seconds = seconds
            self.burst = burst
        }

        var rateLimit: RateLimit {
            RateLimit(interval: 1_000_000_000 * UInt64(self.seconds) / UInt64(self.rate), burst: self.burst)
        }
    }

    package static let clientLimit = 65_536
    static let placesPerSet = 8
    static let shardCount = 16
    private static let setsPerShard =
        ClientRateLimiter.clientLimit / ClientRateLimiter.placesPerSet / ClientRateLimiter.shardCount

    struct Place {
        var client: Key
        var arrivalTime: UInt64
        /// Requests charged since ``Shard/State/take(into:)``, less refunded ones.
        var newCharges: Int32 = 0
        /// Whether its index is in ``Shard/State/charged``.
        var isListed = false
    }

    final class Shard: Sendable {
        struct State {
            var places = Array(
                repeating: Place(client: .nobody, arrivalTime: 0),
                count: ClientRateLimiter.setsPerShard * ClientRateLimiter.placesPerSet)
            /// Indices of places with charges to send to other nodes.
            var charged: [UInt16] = []
            /// Number of charges that are not sent to other nodes, because too many clients had collected charges.
            var unlistedCount = 0
        }

        let state = Mutex(State())
    }

    package let limit: Limit
    private let isShared: Bool
    let shards = (0..<ClientRateLimiter.shardCount).map { _ in Shard() }
    let rateLimit: RateLimit
    let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - isShared: Whether to collect charges for other nodes.
    ///   - now: Monotonic time in nanoseconds.
    package init(_ limit: Limit, isShared: Bool = false, now: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.isShared = isShared
        self.rateLimit = limit.rateLimit
        self.now = now
    }

    /// Charges a request if the limit allows it.
    ///
    /// - Returns: `nil` if the request is admitted; otherwise the time until one would be. Rejected requests are not
    ///   charged.
    package func refusal(of client: ClientAddress) -> Duration? {
        let key = Key(client)
        let (shard, first) = self.set(of: key)
        switch self.charge(key, in: shard, from: first, now: self.now()) {
        case .admitted: return nil
        case .refused(let wait): return .nanoseconds(Int64(clamping: wait))
        }
    }

    /// Refunds the charge of a request that was rejected elsewhere.
    package func refund(_ client: ClientAddress) {
        let key = Key(client)
        let (shard, first) = self.set(of: key)
        shard.state.withLock { state in
            // A client without a place was evicted, and has its full burst.
            for index in first..<(first + Self.placesPerSet) where state.places[index].client == key {
                self.rateLimit.refund(&state.places[index].arrivalTime)
                if self.isShared { state.collect(-1, at: index) }
            }
        }
    }

    /// - Returns: A client's shard, and the index of its set's first place in the shard.
    func set(of key: Key) -> (Shard, Int) {
        let hash = key.hashValue
        let first = (hash >> 8) & (Self.setsPerShard - 1)
        return (self.shards[hash & (Self.shardCount - 1)], first * Self.placesPerSet)
    }

    private func charge(_ key: Key, in shard: Shard, from first: Int, now: UInt64) -> RateLimit.Decision {
        shard.state.withLock { state in
            var index = first
            for candidate in first..<(first + Self.placesPerSet) {
                if state.places[candidate].client == key {
                    index = candidate
                    break
                }
                if state.places[candidate].arrivalTime < state.places[index].arrivalTime { index = candidate }
            }
            let isKnown = state.places[index].client == key
            var arrivalTime = isKnown ? state.places[index].arrivalTime : 0
            let decision = self.rateLimit.charge(&arrivalTime, at: now)
            guard case .admitted = decision else { return decision }
            if isKnown {
                state.places[index].arrivalTime = arrivalTime
            } else {
                state.replace(at: index, with: key, arrivalTime: arrivalTime)
            }
            if self.isShared { state.collect(1, at: index) }
            return decision
        }
    }
}

extension ClientRateLimiter {
    /// Identifies the clients that share one limit.
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

/// How clients are identified, and their rate limits: the same on the fast path and the slow path.
package struct ClientPolicy: Sendable {
    package var proxies: TrustedProxies
    package var rates: ClientRateLimiter?

    /// By default the client is the peer of the connection, without a limit.
    package init(proxies: TrustedProxies = TrustedProxies(), rates: ClientRateLimiter? = nil) {
        self.proxies = proxies
        self.rates = rates
    }
}
