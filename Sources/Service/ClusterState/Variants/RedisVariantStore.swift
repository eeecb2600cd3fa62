import Flights
package import HTTPFetch
import NIOCore
package import PosterCodec
import PosterOrigins
package import PosterPipeline
package import RedisClient
import Synchronization
import Tracing

/// Variants in Redis, which all nodes read: between a node's memory and disk, and a render.
///
/// A read that takes longer than a few milliseconds is given up, and after several of those in a row none is made for a while.
/// Writes and removals are done by ``run()``, one after the other: what is removed here is found here no more at once, and the
/// removal is done when the server is there. What this node has removed and could not tell the server before it ended comes
/// again with the purges that nodes read from their stream.
package final class RedisVariantStore: VariantStore {
    /// Limits of a store.
    package struct Configuration: Hashable, Sendable {
        /// How long a read may take; 5 ms by default.
        package var readTimeout: Duration = .milliseconds(5)
        /// Of one variant, in bytes; 1 MiB by default. Larger ones are not stored.
        package var byteLimit = 1 << 20
        /// How long variants of a poster stay after the last one was written; 7 days by default.
        package var timeToLive: Duration = .seconds(7 * 86_400)
        /// Of one poster; 256 by default. Further ones are not stored.
        package var limitPerPoster = 256
        /// Of variants that wait to be written; 256 by default.
        package var queueLimit = 256
        /// The same in bytes; 16 MiB by default.
        package var queueByteLimit = RedisVariantStore.defaultQueueByteLimit
        /// Of removals that wait while the server is away; with more all variants are removed. 4096 by default.
        package var removalLimit = 4096
        /// Pauses reads that are too slow.
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
    /// How many keys a step of a removal of whole sources looks at.
    static let scanCount = 500
    /// Between attempts of a removal that the server does not do.
    static let removalPause = Duration.seconds(1)
    /// The longest wait of who removes a poster's variants: a node that applies another one's purge reads on then.
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
    ///   - sleep: What pauses between attempts of a removal.
    ///   - deadline: What bounds the wait for a removal.
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

    /// Counts since the start, and what waits.
    package var counters: RedisVariantCounters {
        self.state.withLock { state in
            var counters = state.queue.counters
            counters.pending = state.queue.writeCount
            counters.pendingBytes = state.queue.byteCount
            counters.pendingRemovals = state.queue.removalCount
            return counters
        }
    }

    /// Whether reads are made.
    package var isReading: Bool {
        let now = self.now()
        return self.client.isConnected && self.state.withLock { $0.breaker.refusal(at: now) == nil }
    }

    // MARK: Reading

    /// There is no index of what the server has: ``isWorthReading(_:)`` is true instead.
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
            // One of the two is there at most.
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
            // Removed while it was read.
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

    /// Nothing is here.
    package func removeAllHere() async {}

    /// Waits until the server has done it, but not while it is away, and for ``removalWait`` at most: no variant is found here
    /// then, and it is done when the server is back.
    package func removeAll(of id: PosterID) async {
        let done = Gate()
        self.remove(.poster(id), done)
        guard self.client.isConnectedInBackground else { return }
        // A caller that is cancelled does not wait, either; the removal goes on.
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
