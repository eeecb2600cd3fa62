import BoundedCache
import MovieDomain

/// Decoded responses in memory until they are stale, the least recently used evicted first.
struct DecodedValues: Sendable {
    struct Key: Hashable, Sendable {
        let text: String
        let type: ObjectIdentifier
    }

    /// nil within for what is known not to exist.
    struct Decoded: Sendable {
        let value: (any Sendable)?
    }

    private struct Entry {
        let decoded: Decoded
        let freshUntil: Instant
    }

    private let maxBytes: Int
    private let entries: BoundedCache<Key, Entry>

    /// - Parameter maxBytes: Of the responses that the values were decoded from, together; an eighth of it for one.
    init(maxCount: Int = 512, maxBytes: Int = 32 << 20) {
        self.maxBytes = maxBytes
        self.entries = BoundedCache(countLimit: maxCount, costLimit: maxBytes)
    }

    /// nil when there is none, or it is stale.
    func value(for key: Key, at now: Instant) -> Decoded? {
        self.entries.value(for: key).flatMap { $0.freshUntil > now ? $0.decoded : nil }
    }

    /// - Parameter byteCount: Of the response that the value was decoded from.
    func keep(_ decoded: Decoded, for key: Key, byteCount: Int, until freshUntil: Instant) {
        guard byteCount <= self.maxBytes / 8 else { return }
        self.entries.insert(Entry(decoded: decoded, freshUntil: freshUntil), for: key, cost: byteCount)
    }
}
