import Flights
import InternetAddress
import Synchronization

/// Limits the requests of each client by the generic cell rate algorithm (``RateLimit``). Safe from any thread.
///
/// A client is an IPv4 address, or the /64 network of an IPv6 address: a household has as many of the lower half as it
/// likes.
///
/// A table of its own and not a `BoundedCache`, because every request on the hit path charges here: a charge takes 400
/// instructions, and 2,200 to 3,500 with an `LRUMap` in the same shards, of the 40,000 of a hit (callgrind, -O, 1 and
/// 10,000 clients). Its memory is fixed (``clientLimit`` places). A
/// client is in one of ``placesPerSet`` places that its hash selects; the hash has a seed of this process, so that
/// addresses that collide cannot be chosen. A new client takes the place of the one with the earliest arrival time,
/// which has its full burst back unless all of the set are in debt. To be evicted while in debt takes tens of thousands
/// of addresses that each spend a whole burst in the time in which a burst comes back, and wins one more burst.
package final class ClientRateLimiter: Sendable {
    package struct Limit: Hashable, Sendable {
        package let rate: Int
        /// The period, in seconds.
        package let seconds: Int
        package let burst: Int

        /// - Parameters:
        ///   - rate: From 1 to 1,000,000.
        ///   - burst: The same; four times the rate by default, but at least 20.
        package init(rate: Int, burst: Int? = nil) {
            let allowed = 1...1_000_000
            precondition(allowed.contains(rate) && burst.map(allowed.contains) ?? true, "must be from 1 to 1,000,000")
            self.rate = rate
            self.seconds = 1
            self.burst = burst ?? min(allowed.upperBound, max(20, 4 * rate))
        }

        /// So many in a period.
        ///
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

        /// The same in nanoseconds.
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
        /// Requests that were charged since they were taken for other nodes, less those that were refunded.
        var newCharges: Int32 = 0
        /// Whether its index is in ``Shard/State/charged``.
        var isListed = false
    }

    final class Shard: Sendable {
        struct State {
            var places = Array(
                repeating: Place(client: .nobody, arrivalTime: 0),
                count: ClientRateLimiter.setsPerShard * ClientRateLimiter.placesPerSet)
            /// Indices of places with charges that other nodes do not have.
            var charged: [UInt16] = []
            /// Charges that other nodes will not get: too many clients were charged at once.
            var unlistedCount = 0
        }

        let state = Mutex(State())
    }

    package let limit: Limit
    /// Whether charges are collected for other nodes.
    private let isShared: Bool
    let shards = (0..<ClientRateLimiter.shardCount).map { _ in Shard() }
    let rateLimit: RateLimit
    let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - isShared: Whether charges are collected for other nodes.
    ///   - now: In nanoseconds, since any moment; never back.
    package init(_ limit: Limit, isShared: Bool = false, now: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.isShared = isShared
        self.rateLimit = limit.rateLimit
        self.now = now
    }

    /// Counts a request, if it is allowed.
    ///
    /// - Returns: nil when it is; else how long until one is. A request that is not allowed counts for nothing.
    package func refusal(of client: ClientAddress) -> Duration? {
        let key = Key(client)
        let (shard, first) = self.set(of: key)
        switch self.charge(key, in: shard, from: first, now: self.now()) {
        case .admitted: return nil
        case .refused(let wait): return .nanoseconds(Int64(clamping: wait))
        }
    }

    /// Takes back the charge of a request that was refused elsewhere.
    package func refund(_ client: ClientAddress) {
        let key = Key(client)
        let (shard, first) = self.set(of: key)
        shard.state.withLock { state in
            // A client that is not found was evicted, and has its full burst.
            for index in first..<(first + Self.placesPerSet) where state.places[index].client == key {
                self.rateLimit.refund(&state.places[index].arrivalTime)
                if self.isShared { state.collect(-1, at: index) }
            }
        }
    }

    /// - Returns: A client's shard, and the first of its places in it.
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
    /// The clients that share one limit.
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

/// How clients are identified, and the rate of each: the same on the fast path and the slow path.
package struct ClientPolicy: Sendable {
    /// The proxies that may name the client of a request.
    package var proxies: TrustedProxies
    package var rates: ClientRateLimiter?

    /// By default the client is the peer of the connection, without a limit.
    package init(proxies: TrustedProxies = TrustedProxies(), rates: ClientRateLimiter? = nil) {
        self.proxies = proxies
        self.rates = rates
    }
}
