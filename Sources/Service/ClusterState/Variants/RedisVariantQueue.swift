import Flights
import NIOCore
import PosterCodec
import PosterPipeline

/// The pending writes and removals of a store in Redis. Has neither a lock nor a clock. Every operation is O(1), except
/// that adding a removal is linear in the pending writes.
struct RedisVariantQueue {
    /// Variants to be removed. They are not found from the moment of their removal on, even while the server is
    /// unreachable.
    enum Removal: Hashable, Sendable {
        case poster(PosterID)
        case original(PosterID, Digest)
        case source(String)
        /// Replaces the individual removals when there are too many.
        case everything

        func covers(_ key: VariantKey) -> Bool {
            switch self {
            case .poster(let id): key.id == id
            case .original(let id, let digest): key.id == id && key.digest == digest
            case .source(let name): key.id.source == name
            case .everything: true
            }
        }
    }

    struct Write: Sendable {
        let key: VariantKey
        let variant: StoredVariant
    }

    enum Step: Sendable {
        case remove(Removal)
        case write(Write)
        /// Deletes the fields of an unusable variant.
        case delete(VariantKey)
        /// There is no work until the gate opens.
        case wait(Gate)
    }

    private let limits: RedisVariantStore.Configuration
    private var writes: [VariantKey: StoredVariant] = [:]
    /// Oldest first; keys that are not in ``writes`` are skipped.
    private var order: [VariantKey] = []
    private var first = 0
    private var unusable: Set<VariantKey> = []
    private var removals: [Removal] = []
    /// Failed removals, until ``retryRemovals()``.
    private var failed: [Removal] = []
    private var failure = Gate()
    /// The removals in ``removals`` and ``failed``.
    private var pendingRemovals: Set<Removal> = []
    private var running: Removal?
    private var waiters: [Removal: [Gate]] = [:]
    private var idle: Gate?
    private(set) var byteCount = 0
    var counters = RedisVariantCounters()

    init(_ limits: RedisVariantStore.Configuration) {
        self.limits = limits
    }

    var writeCount: Int { self.writes.count }
    var removalCount: Int { self.pendingRemovals.count + (self.running == nil ? 0 : 1) }

    func pending(_ key: VariantKey) -> StoredVariant? { self.writes[key] }

    /// Whether the server's variant is being removed or queued for removal.
    func isRemoved(_ key: VariantKey) -> Bool {
        if self.running?.covers(key) == true { return true }
        guard !self.pendingRemovals.isEmpty else { return false }
        return [.original(key.id, key.digest), .poster(key.id), .source(key.id.source), .everything]
            .contains { (removal: Removal) in self.pendingRemovals.contains(removal) }
    }

    /// - Returns: A gate to open, because there is work.
    mutating func add(_ variant: StoredVariant, for key: VariantKey) -> Gate? {
        let bytes = variant.poster.bytes.readableBytes
        if let former = self.writes[key] {
            guard variant.encoding == .refined || former.encoding == .first else { return nil }
            self.byteCount -= former.poster.bytes.readableBytes
        } else {
            guard self.writes.count < self.limits.queueLimit, self.byteCount + bytes <= self.limits.queueByteLimit
            else {
                self.counters.dropped += 1
                return nil
            }
            self.order.append(key)
        }
        self.writes[key] = variant
        self.byteCount += bytes
        return self.wake()
    }

    mutating func addUnusable(_ key: VariantKey) -> Gate? {
        guard self.unusable.count < self.limits.queueLimit else { return nil }
        self.unusable.insert(key)
        return self.wake()
    }

    /// - Parameter done: Opened when the server has performed or rejected the removal, or cannot be reached.
    mutating func add(_ removal: Removal, done: Gate? = nil) -> Gate? {
        for (key, variant) in self.writes where removal.covers(key) {
            self.writes[key] = nil
            self.byteCount -= variant.poster.bytes.readableBytes
        }
        var removal = removal
        if !self.pendingRemovals.contains(removal), self.pendingRemovals.count >= self.limits.removalLimit {
            let waiting = self.waiters.values.flatMap(\.self)
            self.removals = []
            self.failed = []
            self.pendingRemovals = []
            self.waiters = [.everything: waiting]
            removal = .everything
        }
        if self.pendingRemovals.insert(removal).inserted { self.removals.append(removal) }
        if let done { self.waiters[removal, default: []].append(done) }
        return self.wake()
    }

    private mutating func wake() -> Gate? {
        defer { self.idle = nil }
        return self.idle
    }

    /// Returns the next step. Removals come first: the writes they cover were dropped when they were added.
    mutating func next() -> Step {
        if let removal = self.removals.first {
            self.removals.removeFirst()
            self.pendingRemovals.remove(removal)
            self.running = removal
            return .remove(removal)
        }
        if let key = self.unusable.popFirst() { return .delete(key) }
        while self.first < self.order.count {
            let key = self.order[self.first]
            self.first += 1
            guard let variant = self.writes[key] else { continue }
            if self.first > self.limits.queueLimit {
                self.order.removeFirst(self.first)
                self.first = 0
            }
            return .write(Write(key: key, variant: variant))
        }
        self.order = []
        self.first = 0
        let gate = self.idle ?? Gate()
        self.idle = gate
        return .wait(gate)
    }

    /// Ends a removal. A failed one is retried after ``retryRemovals()``; other steps continue meanwhile.
    /// - Returns: The gates to open; if the server is unreachable, the gates of all waiting removals.
    mutating func finish(_ removal: Removal, _ outcome: RemovalOutcome) -> [Gate] {
        self.running = nil
        let own = self.waiters.removeValue(forKey: removal) ?? []
        guard outcome != .done else {
            self.counters.removals += 1
            return own
        }
        self.counters.failures += 1
        // If the removal was requested again meanwhile, it is queued already.
        if self.pendingRemovals.insert(removal).inserted { self.failed.append(removal) }
        let others = outcome == .unavailable ? self.waiters.values.flatMap(\.self) : []
        if outcome == .unavailable { self.waiters = [:] }
        return own + others + [self.failure]
    }

    /// A gate that opens when a removal fails.
    mutating func nextFailure() -> Gate {
        if self.failed.isEmpty, self.failure.isOpen { self.failure = Gate() }
        return self.failure
    }

    /// Queues failed removals behind the others.
    /// - Returns: A gate to open, because there is work.
    mutating func retryRemovals() -> Gate? {
        self.removals += self.failed
        self.failed = []
        return self.wake()
    }

    enum RemovalOutcome {
        case done
        case refused
        /// The server is unreachable or does not reply.
        case unavailable
    }

    mutating func finish(_ write: Write, _ outcome: WriteOutcome) {
        switch outcome {
        case .stored: self.counters.writes += 1
        case .refused: self.counters.dropped += 1
        case .failed: self.counters.failures += 1
        }
        // A newer variant may have replaced this one meanwhile: its key is queued again.
        guard let current = self.writes[write.key] else { return }
        guard current.poster.entityTag == write.variant.poster.entityTag else { return self.order.append(write.key) }
        self.writes[write.key] = nil
        self.byteCount -= current.poster.bytes.readableBytes
    }

    enum WriteOutcome {
        case stored
        case refused
        case failed
    }
}

package struct RedisVariantCounters: Hashable, Sendable {
    package var hits = 0
    package var misses = 0
    package var writes = 0
    package var removals = 0
    /// Variants not written: the queue was full, the server unreachable, or the poster had too many variants.
    package var dropped = 0
    /// Reads, writes and removals that failed or timed out.
    package var failures = 0
    /// Values deleted because they were damaged.
    package var damaged = 0
    /// Queued writes, and their bytes.
    package var pending = 0
    package var pendingBytes = 0
    package var pendingRemovals = 0

    package init() {}
}
