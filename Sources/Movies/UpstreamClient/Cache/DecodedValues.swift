import BoundedCache
import MovieDomain

/// A memory cache of decoded responses, fresh and stale; evicts the least recently used.
struct DecodedValues: Sendable {
    struct Key: Hashable, Sendable {
        let text: String
        let type: ObjectIdentifier
    }

    /// A decoded response and its lifetimes.
    struct Entry: Sendable {
        /// `nil` if the upstream has no such resource.
        let value: (any Sendable)?
        /// The time of receipt or of the last revalidation.
        let storedAt: Instant
        private(set) var freshUntil: Instant
        /// The end of its use as a stale response; equal to ``freshUntil`` if it must not be used stale.
        let staleUntil: Instant
        /// Whether clients wait for its successor once it is stale.
        var isProvisional = false
        /// The size of the response that the value was decoded from.
        let byteCount: Int

        /// Applies ``UpstreamRequest/settledAt``: an entry from before that time is stale and provisional after it.
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

    /// - Parameter maxBytes: The size limit of all responses that the values were decoded from; an eighth of it for
    ///   one.
    init(maxCount: Int = 512, maxBytes: Int = 32 << 20) {
        self.maxBytes = maxBytes
        self.entries = BoundedCache(countLimit: maxCount, costLimit: maxBytes)
    }

    func entry(for key: Key) -> Entry? { self.entries.value(for: key) }

    /// Replaces the entry of a key; one that is too large is not stored and only removes the old entry.
    func keep(_ entry: Entry, for key: Key) {
        guard entry.byteCount <= self.maxBytes / 8 else { return self.remove(key) }
        self.entries.insert(entry, for: key, cost: entry.byteCount)
    }

    func remove(_ key: Key) { self.entries.remove(key) }
}
