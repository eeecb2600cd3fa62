package import Flights
import NIOCore
package import PosterCodec
import PosterOrigins
package import PosterPipeline
package import RedisClient
import Synchronization
import Tracing

/// Variants in Redis, shared by all nodes: looked up after a node's memory and disk, before a render.
///
/// A read is given up after a few milliseconds; after several such timeouts in a row reads are suspended for a while.
/// ``run()`` performs writes and removals one after the other. A removed variant is not found by this node from that
/// moment on, and the removal is performed when the server is reachable. Removals that were not performed before the
/// process ended are repeated by the purges in the event stream.
package final class RedisVariantStore: VariantStore {
    package struct Configuration: Hashable, Sendable {
        /// Timeout of a read; 5 ms by default.
        package var readTimeout: Duration = .milliseconds(5)
        /// The maximum size of a variant, in bytes; 1 MiB by default. Larger ones are not stored.
        package var byteLimit = 1 << 20
        /// Lifetime of a poster's variants after its last write; 7 days by default.
        package var timeToLive: Duration = .seconds(7 * 86_400)
        /// The maximum number of a poster's variants; 256 by default. Further ones are not stored.
        package var limitPerPoster = 256
        /// The maximum number of queued writes; 256 by default.
        package var queueLimit = 256
        /// The maximum size of all queued writes, in bytes; 16 MiB by default.
        package var queueByteLimit = RedisVariantStore.defaultQueueByteLimit
        /// The maximum number of pending removals; above it all variants are removed. 4096 by default.
        package var removalLimit = 4096
        /// Suspends reads that are too slow.
        package var breaker = RedisVariantStore.defaultBreaker

        package init() {}
    }

    package static let defaultQueueByteLimit = 16 << 20
    package static let defaultBreaker = {
        var policy = BreakerPolicy()
        policy.threshold = 5
        policy.duration = .seconds(1)
        policy.maxDuration = .seconds(30)
        return policy
    }()
    /// Number of keys that a step of removing whole sources scans.
    static let scanCount = 500
    /// Pause before failed removals are retried.
    static let removalPause = Duration.seconds(1)
    /// The longest wait for a removal of a poster's variants; a node that applies another node's purge then reads on.
    private static let removalWait = Duration.seconds(1)

    struct State {
        var queue: RedisVariantQueue
        var breaker: CircuitBreaker
    }

    package let configuration: Configuration
    let client: RedisClient
    private let now: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async throws -> Void
    private let deadline: @Sendable (Duration) async throws -> Void
    let state: Mutex<State>

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - sleep: Suspends between attempts of a removal.
    ///   - deadline: Suspends for the time limit of waiting for a removal.
    package init(
        _ client: RedisClient, configuration: Configuration = Configuration(),
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        deadline: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.client = client
        self.configuration = configuration
        self.now = now
        self.sleep = sleep
        self.deadline = deadline
        self.state = Mutex(
            State(queue: RedisVariantQueue(configuration), breaker: CircuitBreaker(configuration.breaker)))
    }

    package var counters: RedisVariantCounters {
        self.state.withLock { state in
            var counters = state.queue.counters
            counters.pending = state.queue.writeCount
            counters.pendingBytes = state.queue.byteCount
            counters.pendingRemovals = state.queue.removalCount
            return counters
        }
    }

    /// Whether reads are possible: the server is connected, and reads are not suspended.
    package var isReading: Bool {
        let now = self.now()
        return self.client.isConnected && self.state.withLock { $0.breaker.refusal(at: now) == nil }
    }

    // MARK: Reading

    /// Always false: there is no index of the server's variants. ``isWorthReading(_:)`` is used instead.
    package func mayContain(_ key: VariantKey) -> Bool { false }

    package func isWorthReading(_ key: VariantKey) -> Bool {
        let now = self.now()
        let isConnected = self.client.isConnected
        return self.state.withLock { state in
            if state.queue.pending(key) != nil { return true }
            return isConnected && state.breaker.refusal(at: now) == nil && !state.queue.isRemoved(key)
        }
    }

    package func poster(for key: VariantKey) async -> StoredVariant? {
        let now = self.now()
        let isConnected = self.client.isConnected
        let (pending, ticket) = self.state.withLock { state -> (StoredVariant?, CircuitBreaker.Ticket?) in
            if let pending = state.queue.pending(key) { return (pending, nil) }
            guard isConnected, !state.queue.isRemoved(key), state.breaker.refusal(at: now) == nil else {
                return (nil, nil)
            }
            return (nil, state.breaker.admit())
        }
        guard let ticket else { return pending }
        do {
            let bytes = try await self.read(RedisVariantName(key, prefix: self.client.prefix))
            self.record(.success, ticket)
            return self.variant(bytes, for: key)
        } catch is CancellationError {
            self.record(.ignored, ticket)
        } catch {
            let isAway = (error as? RedisFailure)?.label == "unavailable"
            self.record(isAway ? .ignored : .failure, ticket)
            self.state.withLock { $0.queue.counters.failures += 1 }
        }
        return nil
    }

    private func read(_ name: RedisVariantName) async throws -> [UInt8]? {
        try await withSpan("redis", ofKind: .client) { span in
            span.attributes["db.system.name"] = "redis"
            span.attributes["db.operation.name"] = "HMGET"
            // At most one of the two fields exists.
            let reply = try await self.client.send(
                RedisCommand("HMGET", name.key, name.refinedField, name.firstField),
                within: self.configuration.readTimeout)
            return reply.elements?.lazy.compactMap(\.bytesValue).first
        }
    }

    private func variant(_ bytes: [UInt8]?, for key: VariantKey) -> StoredVariant? {
        let found: StoredVariant?
        var isDamaged = false
        do throws(VariantMessage.Unusable) {
            found = try bytes.flatMap { (bytes) throws(VariantMessage.Unusable) in
                try VariantMessage.variant(bytes, for: key)
            }
        } catch {
            found = nil
            isDamaged = true
        }
        let (result, gate) = self.state.withLock { state -> (StoredVariant?, Gate?) in
            if isDamaged {
                state.queue.counters.damaged += 1
                return (nil, state.queue.addUnusable(key))
            }
            // Removed during the read.
            guard let found, !state.queue.isRemoved(key) else {
                state.queue.counters.misses += 1
                return (nil, nil)
            }
            state.queue.counters.hits += 1
            return (found, nil)
        }
        gate?.open()
        return result
    }

    private func record(_ outcome: CircuitBreaker.Outcome, _ ticket: CircuitBreaker.Ticket) {
        let now = self.now()
        self.state.withLock { $0.breaker.record(outcome, of: ticket, at: now) }
    }

    // MARK: Changing

    package func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        let isConnected = self.client.isConnectedInBackground
        let variant = StoredVariant(poster: poster, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        self.state.withLock { state -> Gate? in
            guard isConnected, poster.bytes.readableBytes <= self.configuration.byteLimit else {
                state.queue.counters.dropped += 1
                return nil
            }
            return state.queue.add(variant, for: key)
        }?.open()
    }

    /// Has no effect: this store has nothing of its own on this node.
    package func removeAllHere() async {}

    /// Waits for the removal for at most ``removalWait``, and not if the server is unreachable: this node finds the
    /// variants no more, and the removal is performed later.
    package func removeAll(of id: PosterID) async {
        let done = Gate()
        self.remove(.poster(id), done)
        guard self.client.isConnectedInBackground else { return }
        // A cancelled caller does not wait either; the removal continues.
        try? await withTimeout(
            Self.removalWait, throwing: RedisFailure.timedOut(Self.removalWait), sleep: self.deadline
        ) { try await done.wait() }
    }

    package func removeAll(of id: PosterID, digest: Digest) {
        self.remove(.original(id, digest))
    }

    package func removeAll(of sources: Set<String>) {
        for source in sources { self.remove(.source(source)) }
    }

    private func remove(_ removal: RedisVariantQueue.Removal, _ done: Gate? = nil) {
        self.state.withLock { $0.queue.add(removal, done: done) }?.open()
    }
}
