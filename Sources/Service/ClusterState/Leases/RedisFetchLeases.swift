package import CoreMetrics
import Flights
package import HTTPFetch
package import PosterPipeline
package import RedisClient
import Synchronization

/// Leases of fetches in Redis: a key for each original that a node fetches, with a token of that fetch.
///
/// The holder replaces it by a mark for a while when the original is stored, and deletes it when the fetch failed. Other nodes ask
/// again, less and less often, for ``Limits/wait`` at most, and fetch the original themselves then. Without Redis there is no wait,
/// and after several replies in a row that came too late there are no leases for a while.
package final class RedisFetchLeases: FetchLeases {
    package struct Limits: Hashable, Sendable {
        /// For each reply of Redis; 100 ms by default. A fetch takes longer itself, and one without a lease may be another one's.
        package var reply = SharedDeadlines.upstream
        /// After which the lease of a node that was killed is over; 30 seconds by default.
        package var lease: Duration = .seconds(30)
        /// The longest wait for another node; 3 seconds by default.
        package var wait: Duration = .seconds(3)
        /// The first and the longest pause between two questions.
        package var pauses: ClosedRange<Duration> = .milliseconds(25) ... .milliseconds(200)
        /// How long an original may wait for its upload until its lease is given up; 20 seconds by default.
        package var upload: Duration = .seconds(20)
        /// How long it is marked that an original was stored; 10 seconds by default.
        package var mark: Duration = .seconds(10)
        /// Pauses leases when replies come too late.
        package var breaker = RedisVariantStore.defaultBreaker

        package init() {}
    }

    /// The most leases whose originals are uploaded; further ones expire.
    package static let uploadLimit = 1024
    private static let stored = "stored"

    private struct Names: Sendable {
        let key: String
        let token: String
    }

    private let redis: RedisClient
    private let limits: Limits
    private let whenStored: @Sendable (PosterID) async throws -> Bool
    private let isStoreAvailable: @Sendable () -> Bool
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let ends = BackgroundTasks<String, String>(
        limit: RedisFetchLeases.uploadLimit, overflow: .ignoresNew, priority: .medium)
    /// At most one.
    private let probes = BackgroundTasks<String, String>(limit: 1, overflow: .ignoresNew, priority: .medium)
    private let breaker: Mutex<CircuitBreaker>
    private let counts: LeaseCounts
    private let waits: Timer
    private let givenUp: Counter
    private let spared: Counter

    /// - Parameters:
    ///   - whenStored: Returns when other nodes can read an original that was fetched; false when they will not soon.
    ///   - isStoreAvailable: Whether nodes can read what another one stores: while they cannot there are no leases.
    ///   - now: In nanoseconds; never back.
    ///   - sleep: What pauses and the upload's time are waited for with.
    package init(
        redis: RedisClient, limits: Limits = Limits(), whenStored: @escaping @Sendable (PosterID) async throws -> Bool,
        isStoreAvailable: @escaping @Sendable () -> Bool = { true },
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.redis = redis
        self.limits = limits
        self.whenStored = whenStored
        self.isStoreAvailable = isStoreAvailable
        self.now = now
        self.sleep = sleep
        self.breaker = Mutex(CircuitBreaker(limits.breaker))
        self.counts = LeaseCounts(kind: "fetch", metrics: metrics)
        self.waits = Timer(label: "onesheet.redis.lease.wait", factory: metrics)
        self.givenUp = Counter(label: "onesheet.redis.lease.waits_given_up", factory: metrics)
        self.spared = Counter(label: "onesheet.redis.lease.spared_fetches", factory: metrics)
    }

    /// The number of leases that have not been ended at Redis.
    package var endingCount: Int { self.ends.count }

    /// Whether it is being found out if replies come in time again.
    var isProbing: Bool { self.probes.count > 0 }

    package func turn(for id: PosterID) async throws -> FetchTurn {
        let names = Names(
            key: "\(self.redis.prefix){fetch:\(Digest(of: id.description))}",
            token: String(UInt64.random(in: 0 ... .max), radix: 36))
        let start = self.now()
        var pause = self.limits.pauses.lowerBound
        var hasWaited = false
        defer { if hasWaited { self.waits.recordNanoseconds(self.now() &- start) } }
        while true {
            guard self.isStoreAvailable() else { return .fetch(nil) }
            let reply: String?
            do {
                reply = try await self.acquire(names)
            } catch RedisFailure.timedOut {
                // It may be held all the same.
                self.counts.count(.unavailable)
                return .fetch(self.lease(names, id))
            } catch is RedisFailure {
                self.counts.count(.unavailable)
                return .fetch(nil)
            } catch {
                // Others would wait for a fetch that does not begin.
                self.ends.start(names.token, for: names.token) { await self.release(names) }
                throw error
            }
            switch reply {
            case "held":
                self.counts.count(.granted, size: 1)
                return .fetch(self.lease(names, id))
            case Self.stored:
                self.spared.increment()
                return .stored
            default:
                if !hasWaited { self.counts.count(.refused) }
                hasWaited = true
                let left = self.limits.wait.nanoseconds.subtractingClamped(self.now() &- start)
                guard left > 0 else {
                    self.givenUp.increment()
                    return .fetch(self.lease(names, id))
                }
                try await self.sleep(min(pause, .nanoseconds(left)))
                pause = min(pause * 2, self.limits.pauses.upperBound)
            }
        }
    }

    private func acquire(_ names: Names) async throws -> String? {
        let start = self.now()
        let (ticket, isProbe) = self.breaker.withLock { breaker -> (CircuitBreaker.Ticket?, Bool) in
            guard breaker.refusal(at: start) == nil else { return (nil, false) }
            let isProbe = breaker.state(at: start) != .closed
            return (breaker.admit(), isProbe)
        }
        guard let ticket, !isProbe else {
            if let ticket { self.startProbe(ticket) }
            throw RedisFailure.unavailable("its replies came too late")
        }
        return try await self.counted(ticket) {
            try await self.redis.evaluate(
                Self.acquisition, keys: [names.key], [names.token, self.limits.lease.milliseconds],
                within: self.limits.reply
            ).text
        }
    }

    /// In the background: a fetch that waited for the reply of a slow server would be late by all of its time.
    private func startProbe(_ ticket: CircuitBreaker.Ticket) {
        let acceptance = self.probes.start("PING", for: "PING") {
            // What it throws is counted.
            _ = try? await self.counted(ticket) {
                try await self.redis.send(RedisCommand("PING"), within: self.limits.reply)
            }
        }
        guard case .accepted = acceptance else {
            return self.breaker.withLock { $0.record(.ignored, of: ticket, at: self.now()) }
        }
    }

    /// Only replies that come too late count as failures.
    private func counted<Reply>(
        _ ticket: CircuitBreaker.Ticket, _ ask: () async throws -> Reply
    ) async throws -> Reply {
        var outcome = CircuitBreaker.Outcome.ignored
        defer {
            let now = self.now()
            self.breaker.withLock { $0.record(outcome, of: ticket, at: now) }
        }
        do {
            let reply = try await ask()
            outcome = .success
            return reply
        } catch let failure as RedisFailure {
            if case .timedOut = failure { outcome = .failure }
            throw failure
        }
    }

    /// Ends nothing any more; leases that are held expire.
    package func close() {
        self.ends.close()
        self.probes.close()
    }

    // MARK: The end of a lease

    private func lease(_ names: Names, _ id: PosterID) -> FetchLease {
        FetchLease { isFetched in
            self.ends.start(names.token, for: names.token) { await self.end(names, id, isFetched: isFetched) }
        }
    }

    private func end(_ names: Names, _ id: PosterID, isFetched: Bool) async {
        guard isFetched, await self.isStored(names, id) else { return await self.release(names) }
        // Also over the lease of another node: those who wait for that can read it now. Without Redis it expires.
        _ = try? await self.redis.send(
            RedisCommand("SET", names.key, Self.stored, "PX", self.limits.mark.milliseconds))
    }

    /// Deletes a lease, if it is this one's; without Redis it expires.
    private func release(_ names: Names) async {
        _ = try? await self.redis.evaluate(Self.release, keys: [names.key], [names.token])
    }

    /// Waits for the upload, with a lease that has its whole time again.
    private func isStored(_ names: Names, _ id: PosterID) async -> Bool {
        do {
            _ = try await self.redis.evaluate(
                Self.renewal, keys: [names.key], [names.token, self.limits.lease.milliseconds])
        } catch {
            // Others may fetch it, too.
        }
        let (whenStored, sleep) = (self.whenStored, self.sleep)
        do {
            return try await withTimeout(self.limits.upload, throwing: UploadTooSlow(), sleep: sleep) {
                try await whenStored(id)
            }
        } catch {
            return false
        }
    }

    private struct UploadTooSlow: Error {}

    private static let acquisition = RedisScript(
        """
        if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
          return 'held'
        end
        return redis.call('GET', KEYS[1])
        """)

    private static let renewal = RedisScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then
          return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        return 0
        """)

    private static let release = RedisScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then
          return redis.call('DEL', KEYS[1])
        end
        return 0
        """)
}

extension Duration {
    fileprivate var milliseconds: Int64 { Int64(clamping: self.nanoseconds / 1_000_000) }
}
