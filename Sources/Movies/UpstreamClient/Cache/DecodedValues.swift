import BoundedCache
import MovieDomain

/// Decoded responses in memory, stale ones too, the least recently used evicted first.
struct DecodedValues: Sendable {
    struct Key: Hashable, Sendable {
        let text: String
        let type: ObjectIdentifier
    }

    /// A decoded response, and how long it is used.
    struct Entry: Sendable {
        /// nil when the upstream has no such thing.
        let value: (any Sendable)?
        /// When it was received, or last revalidated.
        let storedAt: Instant
        private(set) var freshUntil: Instant
        /// Until when it is used although it is stale; ``freshUntil`` for what is not.
        let staleUntil: Instant
        /// Whether a client waits for its successor once it is stale.
        var isProvisional = false
        /// Of the response that the value was decoded from.
        let byteCount: Int

        /// At a time at which a request's resource may have got its last form since the entry was stored.
        func settled(by request: UpstreamRequest, at now: Instant) -> Self {
            guard let settledAt = request.settledAt, self.storedAt < settledAt, settledAt <= now else { return self }
            var entry = self
            entry.freshUntil = min(self.freshUntil, settledAt)
            entry.isProvisional = true
            return entry
        }
    }

    private let maxBytes: Int
    private let entries: BoundedCache<Key, Entry>

    /// - Parameter maxBytes: Of the responses that the values were decoded from, together; an eighth of it for one.
    init(maxCount: Int = 512, maxBytes: Int = 32 << 20) {
        self.maxBytes = maxBytes
        self.entries = BoundedCache(countLimit: maxCount, costLimit: maxBytes)
    }

    /// nil when there is none; it may be stale.
    func entry(for key: Key) -> Entry? { self.entries.value(for: key) }

    /// Replaces the entry of the key; one that is too large only removes that.
    func keep(_ entry: Entry, for key: Key) {
        guard entry.byteCount <= self.maxBytes / 8 else { return self.remove(key) }
        self.entries.insert(entry, for: key, cost: entry.byteCount)
    }

    func remove(_ key: Key) { self.entries.remove(key) }
}
