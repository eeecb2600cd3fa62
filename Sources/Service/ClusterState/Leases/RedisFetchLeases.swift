import BoundedCache
package import CoreMetrics
package import Flights
package import PosterPipeline
package import RedisClient
import Synchronization

/// Leases of fetches in Redis: one key for each original being fetched, with the fetch's token as its value.
///
/// The holder renews the lease while it fetches. When the original is stored, it replaces the lease by a short-lived
/// mark; when the fetch failed, by the error; when it was cancelled, it deletes the lease. Other nodes poll at growing
/// intervals until one of these happens or the lease expires, for at most ``Limits/wait``, and then fetch the original
/// themselves. Without Redis there is no wait; after several late replies in a row leases are suspended for a while.
/// Marks and errors from before a purge on this node are ignored.
package final class RedisFetchLeases: FetchLeases {
    package struct Limits: Hashable, Sendable {
        /// Timeout of each reply; 100 ms by default.
        package var reply = SharedDeadlines.upstream
        /// Lifetime of a lease that is not renewed, for example because its node was killed; 3 seconds by default. It
        /// is renewed after each third of it.
        package var lease: Duration = .seconds(3)
        /// The longest wait for another node, and the longest time that a lease is renewed; 30 seconds by default.
        package var wait: Duration = .seconds(30)
        /// The first and the longest pause between two polls.
        package var pauses: ClosedRange<Duration> = .milliseconds(25) ... .milliseconds(200)
        /// How long a lease is held for the upload of its original; 20 seconds by default.
        package var upload: Duration = .seconds(20)
        /// Lifetime of the mark of a stored original; 10 seconds by default.
        package var mark: Duration = .seconds(10)
        /// Lifetime of the error of a fetch, for waiting nodes; 1 second by default, five of the longest pauses.
        package var failure: Duration = .seconds(1)
        /// Suspends leases when replies are late.
        package var breaker = RedisVariantStore.defaultBreaker

        package init() {}
    }

    /// The maximum number of leases being ended, for example during uploads; further ones expire.
    package static let uploadLimit = 1024
    /// The maximum number of purges remembered; marks and errors from before forgotten ones are accepted.
    private static let purgeLimit = 10_000
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
    private let renewalSleep: @Sendable (Duration) async throws -> Void
    private let ends = BackgroundTasks<String, String>(
        limit: RedisFetchLeases.uploadLimit, overflow: .ignoresNew, priority: .medium)
    private let probes = BackgroundTasks<String, String>(limit: 1, overflow: .ignoresNew, priority: .medium)
    private let breaker: Mutex<CircuitBreaker>
    /// Times of purges, in nanoseconds, for as long as marks and errors from before them may exist.
    private let purges: BoundedCache<PosterID, UInt64>
    private let counts: LeaseCounts
    private let waits: Timer
    private let givenUp: Counter
    private let spared: Counter

    /// - Parameters:
    ///   - whenStored: Waits until other nodes can read a fetched original; returns false if that will not be soon.
    ///   - isStoreAvailable: Whether nodes can read each other's stored originals; otherwise there are no leases.
    ///   - now: A monotonic time in nanoseconds.
    ///   - sleep: Suspends for pauses between polls and for the time limit of an upload.
    ///   - renewalSleep: Suspends between renewals of a lease.
    package init(
        redis: RedisClient, limits: Limits = Limits(), whenStored: @escaping @Sendable (PosterID) async throws -> Bool,
        isStoreAvailable: @escaping @Sendable () -> Bool = { true },
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        renewalSleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.redis = redis
        self.limits = limits
        self.whenStored = whenStored
        self.isStoreAvailable = isStoreAvailable
        self.now = now
        self.sleep = sleep
        self.renewalSleep = renewalSleep
        self.breaker = Mutex(CircuitBreaker(limits.breaker))
        self.purges = BoundedCache(
            countLimit: Self.purgeLimit, timeToLive: max(limits.mark, limits.failure), now: now)
        self.counts = LeaseCounts(kind: "fetch", metrics: metrics)
        self.waits = Timer(label: "onesheet.redis.lease.wait", factory: metrics)
        self.givenUp = Counter(label: "onesheet.redis.lease.waits_given_up", factory: metrics)
        self.spared = Counter(label: "onesheet.redis.lease.spared_fetches", factory: metrics)
    }

    package var endingCount: Int { self.ends.count }

    var isProbing: Bool { self.probes.count > 0 }

    package func turn(for id: PosterID, at location: OriginalLocation) async throws -> FetchTurn {
        let names = Names(
            key: self.key(of: id, at: location),
            token: String(UInt64.random(in: 0 ... .max), radix: 36))
        let start = self.now()
        var pause = self.limits.pauses.lowerBound
        var hasWaited = false
        defer { if hasWaited { self.waits.recordNanoseconds(self.now() &- start) } }
        while true {
            guard self.isStoreAvailable() else { return .fetch(nil) }
            let reply: String?
            do {
                reply = try await self.acquire(names, id)
            } catch RedisFailure.timedOut {
                // Redis may have granted the lease all the same.
                self.counts.count(.unavailable)
                return .fetch(self.lease(names, id))
            } catch is RedisFailure {
                self.counts.count(.unavailable)
                return .fetch(nil)
            } catch {
                // Other nodes would wait for a fetch that does not begin.
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
            case let text? where text.hasPrefix(SharedFetchFailure.prefix):
                guard let failure = SharedFetchFailure(text) else { fallthrough }
                self.spared.increment()
                return .failed(failure.error(for: id))
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

    package func forgetOutcome(of id: PosterID) {
        self.purges.insert(self.now(), for: id)
    }

    /// The maximum remaining lifetime of an outcome that is older than the last purge, in milliseconds; -1 without a
    /// purge.
    private func timeLeft(of duration: Duration, _ id: PosterID) -> Int64 {
        guard let purge = self.purges.value(for: id) else { return -1 }
        return duration.milliseconds - Int64(clamping: (self.now() &- purge) / 1_000_000)
    }

    private func acquire(_ names: Names, _ id: PosterID) async throws -> String? {
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
                Self.acquisition, keys: [names.key],
                [
                    names.token, self.limits.lease.milliseconds, Self.stored,
                    self.timeLeft(of: self.limits.mark, id), SharedFetchFailure.prefix,
                    self.timeLeft(of: self.limits.failure, id),
                ],
                within: self.limits.reply
            ).text
        }
    }

    /// Probes in the background: a fetch that waited for a slow server's reply would be delayed by the whole timeout.
    private func startProbe(_ ticket: CircuitBreaker.Ticket) {
        let acceptance = self.probes.start("PING", for: "PING") {
            // Errors are counted.
            _ = try? await self.counted(ticket) {
                try await self.redis.send(RedisCommand("PING"), within: self.limits.reply)
            }
        }
        guard case .accepted = acceptance else {
            return self.breaker.withLock { $0.record(.ignored, of: ticket, at: self.now()) }
        }
    }

    /// Records the outcome in the breaker; only late replies count as failures.
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

    /// Stops ending leases; leases still held expire.
    package func close() {
        self.ends.close()
        self.probes.close()
    }

    /// The key includes the location: another location of the same poster is another original.
    func key(of id: PosterID, at location: OriginalLocation) -> String {
        "\(self.redis.prefix){fetch:\(Digest(of: "\(id) \(location.identity)"))}"
    }

    // MARK: The end of a lease

    private func lease(_ names: Names, _ id: PosterID) -> FetchLease {
        let renewals = Task { await self.renewRepeatedly(names) }
        return FetchLease { outcome in
            renewals.cancel()
            self.ends.start(names.token, for: names.token) { await self.end(names, id, outcome) }
        }
    }

    /// Renews until it is cancelled or the lease is lost, for at most ``Limits/wait``.
    private func renewRepeatedly(_ names: Names) async {
        let pause = self.limits.lease / 3
        var left = self.limits.wait
        while left > .zero {
            do {
                try await self.renewalSleep(pause)
                guard try await self.renew(names) else { return }
            } catch is RedisFailure {
                // The next attempt may still be in time.
            } catch {
                return
            }
            left -= pause
        }
    }

    /// - Returns: Whether this node still holds the lease.
    private func renew(_ names: Names) async throws -> Bool {
        try await self.redis.evaluate(
            Self.renewal, keys: [names.key], [names.token, self.limits.lease.milliseconds], within: self.limits.reply
        ).number == 1
    }

    private func end(_ names: Names, _ id: PosterID, _ outcome: LeasedFetchOutcome) async {
        switch outcome {
        case .fetched:
            guard await self.isStored(names, id) else { return await self.release(names) }
            // Also replaces another node's lease: nodes that wait for it can read the original. Without Redis it
            // expires.
            _ = try? await self.redis.send(
                RedisCommand("SET", names.key, Self.stored, "PX", self.limits.mark.milliseconds))
        case .failed(let error):
            guard let failure = SharedFetchFailure(error) else { return await self.release(names) }
            // Without Redis the lease expires.
            _ = try? await self.redis.evaluate(
                Self.replacement, keys: [names.key], [names.token, failure.text, self.limits.failure.milliseconds])
        case .abandoned: await self.release(names)
        }
    }

    /// Deletes the lease if this fetch holds it; without Redis it expires.
    private func release(_ names: Names) async {
        _ = try? await self.redis.evaluate(Self.release, keys: [names.key], [names.token])
    }

    /// Waits for the upload. The lease is renewed once, not repeatedly: other nodes do not wait long for a slow store.
    private func isStored(_ names: Names, _ id: PosterID) async -> Bool {
        // If the renewal fails, other nodes may fetch the original too.
        _ = try? await self.renew(names)
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
        local value = redis.call('GET', KEYS[1])
        local left = -1
        if value == ARGV[3] then
          left = tonumber(ARGV[4])
        elseif value and string.sub(value, 1, #ARGV[5]) == ARGV[5] then
          left = tonumber(ARGV[6])
        end
        if left >= 0 and redis.call('PTTL', KEYS[1]) <= left then
          redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
          return 'held'
        end
        return value
        """)

    private static let renewal = RedisScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then
          return redis.call('PEXPIRE', KEYS[1], ARGV[2])
        end
        return 0
        """)

    private static let replacement = RedisScript(
        """
        if redis.call('GET', KEYS[1]) == ARGV[1] then
          return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
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
