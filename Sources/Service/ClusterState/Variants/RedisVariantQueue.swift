import Flights
import NIOCore
import PosterCodec
import PosterPipeline

/// What a store in Redis still has to write and to remove. Has neither a lock nor a clock; every operation but a removal is
/// O(1), a removal is linear in the writes that wait.
struct RedisVariantQueue {
    /// Variants that are found no more from the moment of their removal on, also while the server is away.
    enum Removal: Hashable, Sendable {
        case poster(PosterID)
        case original(PosterID, Digest)
        case source(String)
        /// Of too many removals to be listed.
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
        /// Deletes the field of a variant that cannot be used.
        case delete(VariantKey)
        /// Nothing is to be done until the gate opens.
        case wait(Gate)
    }

    private let limits: RedisVariantStore.Configuration
    private var writes: [VariantKey: StoredVariant] = [:]
    /// Oldest first; of keys that are not in ``writes`` any more, nothing is to be done.
    private var order: [VariantKey] = []
    private var first = 0
    private var unusable: Set<VariantKey> = []
    private var removals: [Removal] = []
    /// Removals that have failed, until ``retryRemovals()``.
    private var failed: [Removal] = []
    private var failure = Gate()
    /// Of ``removals`` and ``failed``.
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

    /// The variant that waits to be written.
    func pending(_ key: VariantKey) -> StoredVariant? { self.writes[key] }

    /// Whether what the server has of it is removed, or about to be.
    func isRemoved(_ key: VariantKey) -> Bool {
        if self.running?.covers(key) == true { return true }
        guard !self.pendingRemovals.isEmpty else { return false }
        return [.original(key.id, key.digest), .poster(key.id), .source(key.id.source), .everything]
            .contains { (removal: Removal) in self.pendingRemovals.contains(removal) }
    }

    /// - Returns: What is to be opened: there is something to be done.
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

    /// - Parameter done: Opened when the server has done it, refuses it or cannot be reached.
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

    /// Removals come first: writes that they cover were dropped when they were asked for.
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

    /// A removal that has failed is tried again after ``retryRemovals()``; others, and writes, go on meanwhile.
    /// - Returns: What is to be opened: without the server, those who wait for any removal.
    mutating func finish(_ removal: Removal, _ outcome: RemovalOutcome) -> [Gate] {
        self.running = nil
        let own = self.waiters.removeValue(forKey: removal) ?? []
        guard outcome != .done else {
            self.counters.removals += 1
            return own
        }
        self.counters.failures += 1
        // What was asked for again meanwhile is in the list.
        if self.pendingRemovals.insert(removal).inserted { self.failed.append(removal) }
        let others = outcome == .unavailable ? self.waiters.values.flatMap(\.self) : []
        if outcome == .unavailable { self.waiters = [:] }
        return own + others + [self.failure]
    }

    /// Opens when a removal has failed.
    mutating func nextFailure() -> Gate {
        if self.failed.isEmpty, self.failure.isOpen { self.failure = Gate() }
        return self.failure
    }

    /// Puts the removals that have failed behind the others.
    /// - Returns: What is to be opened: there is something to be done.
    mutating func retryRemovals() -> Gate? {
        self.removals += self.failed
        self.failed = []
        return self.wake()
    }

    enum RemovalOutcome {
        case done
        /// The server does not do it.
        case refused
        /// The server cannot be reached, or does not reply.
        case unavailable
    }

    mutating func finish(_ write: Write, _ outcome: WriteOutcome) {
        switch outcome {
        case .stored: self.counters.writes += 1
        case .refused: self.counters.dropped += 1
        case .failed: self.counters.failures += 1
        }
        // Another one may have taken its place, which is in the order again.
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

/// What a store in Redis has done since its start.
package struct RedisVariantCounters: Hashable, Sendable {
    package var hits = 0
    package var misses = 0
    package var writes = 0
    package var removals = 0
    /// Variants that were not written: too many waited, the server was away, or it had enough of a poster.
    package var dropped = 0
    /// Reads, writes and removals that failed or came too late.
    package var failures = 0
    /// Values that were removed because they were not as they had been written.
    package var damaged = 0
    /// That wait to be written, and their bytes.
    package var pending = 0
    package var pendingBytes = 0
    /// Removals that the server has not done yet.
    package var pendingRemovals = 0

    package init() {}
}
