import BoundedCache
import Flights
import NIOCore

/// A short-lived cache of encoded responses that any client may have: many clients request the same at once.
package struct ResponseCache<Key: Hashable & Sendable>: Sendable {
    /// The most responses.
    static var countLimit: Int { 1024 }
    /// The most bytes of all bodies together.
    static var byteLimit: Int { 16 << 20 }

    private let responses: BoundedCache<Key, JSONResponse>

    /// - Parameters:
    ///   - lifetime: Zero stores nothing.
    ///   - now: A monotonic time in nanoseconds.
    package init(lifetime: Duration, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.responses = BoundedCache(
            countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime, now: now)
    }

    /// nil when there is none, or it is too old.
    package func response(for key: Key) -> JSONResponse? { self.responses.value(for: key) }

    /// Stores a response that any client may have; ignores others.
    package func insert(_ response: JSONResponse, for key: Key) {
        guard case .shared = response.caching else { return }
        self.responses.insert(response, for: key, cost: response.bytes.readableBytes)
    }
}
