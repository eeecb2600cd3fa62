import BoundedCache
import Flights
import NIOCore

/// A short-lived cache of encoded responses for all clients: many of them request the same at once.
///
/// When a response is too old, one client creates it again; the others get the old one for one more lifetime.
package struct ResponseCache<Key: Hashable & Sendable>: Sendable {
    static var countLimit: Int { 1024 }
    static var byteLimit: Int { 16 << 20 }

    private struct Entry {
        let response: EncodedResponse
        /// Monotonic time in nanoseconds.
        let storedAt: UInt64
        /// Whether a client is creating the response again.
        var isClaimed = false
    }

    private let entries: BoundedCache<Key, Entry>
    /// In nanoseconds.
    private let lifetime: UInt64
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - lifetime: Zero disables the cache. Responses are used for at most twice as long.
    ///   - now: Monotonic time in nanoseconds.
    package init(lifetime: Duration, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.entries = BoundedCache(
            countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime * 2, now: now)
        self.lifetime = UInt64(max(0, lifetime / .nanoseconds(1)))
        self.now = now
    }

    /// Returns the cached response; `nil` if there is none, or if it is too old and the caller has to
    /// ``insert(_:for:)`` a new one.
    package func response(for key: Key) -> EncodedResponse? {
        guard var entry = self.entries.value(for: key) else { return nil }
        let age = self.now() - entry.storedAt
        if age < self.lifetime { return entry.response }
        guard !entry.isClaimed else { return age < self.lifetime * 2 ? entry.response : nil }
        entry.isClaimed = true
        self.insert(entry, for: key)
        return nil
    }

    /// Stores a response for all clients; any other one only removes the previous response.
    package func insert(_ response: EncodedResponse, for key: Key) {
        guard case .shared = response.caching else { return self.remove(key) }
        self.insert(Entry(response: response, storedAt: self.now()), for: key)
    }

    /// Call it if a response cannot be created again, so that the failure is not hidden from other clients.
    package func remove(_ key: Key) { self.entries.remove(key) }

    private func insert(_ entry: Entry, for key: Key) {
        self.entries.insert(entry, for: key, cost: entry.response.bytes.readableBytes)
    }
}
