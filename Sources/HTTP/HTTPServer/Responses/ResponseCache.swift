import BoundedCache
import Flights
import NIOCore

/// A short-lived cache of encoded responses that any client may have: many clients request the same at once.
///
/// Of the clients that find a response too old, one makes it again; the others get the old one for as long again.
package struct ResponseCache<Key: Hashable & Sendable>: Sendable {
    /// The most responses.
    static var countLimit: Int { 1024 }
    /// The most bytes of all bodies together.
    static var byteLimit: Int { 16 << 20 }

    private struct Entry {
        let response: EncodedResponse
        /// In nanoseconds of the clock.
        let storedAt: UInt64
        /// Whether one client makes it again.
        var isClaimed = false
    }

    private let entries: BoundedCache<Key, Entry>
    /// In nanoseconds.
    private let lifetime: UInt64
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - lifetime: Zero stores nothing. Responses are used for at most twice as long.
    ///   - now: A monotonic time in nanoseconds.
    package init(lifetime: Duration, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.entries = BoundedCache(
            countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime * 2, now: now)
        self.lifetime = UInt64(max(0, lifetime / .nanoseconds(1)))
        self.now = now
    }

    /// nil when there is none, or it is too old and the caller has to make and ``insert(_:for:)`` it again.
    package func response(for key: Key) -> EncodedResponse? {
        guard var entry = self.entries.value(for: key) else { return nil }
        let age = self.now() - entry.storedAt
        if age < self.lifetime { return entry.response }
        guard !entry.isClaimed else { return age < self.lifetime * 2 ? entry.response : nil }
        entry.isClaimed = true
        self.insert(entry, for: key)
        return nil
    }

    /// Stores a response that any client may have. Another one is not stored, and the one before is used no longer.
    package func insert(_ response: EncodedResponse, for key: Key) {
        guard case .shared = response.caching else { return self.remove(key) }
        self.insert(Entry(response: response, storedAt: self.now()), for: key)
    }

    /// To be called when a response cannot be made again, so that the failure is not hidden from other clients.
    package func remove(_ key: Key) { self.entries.remove(key) }

    private func insert(_ entry: Entry, for key: Key) {
        self.entries.insert(entry, for: key, cost: entry.response.bytes.readableBytes)
    }
}
