import BoundedCache
import Flights
import HTTPTypes
import Hummingbird

/// Caches responses for any client for a short time, as many clients send the same request at once.
///
/// One of the clients that find an expired response replaces it; the others get the old one for another lifetime. Same
/// behaviour as ``HTTPServer/ResponseCache``, but for responses with other fields.
struct SharedResponses: Sendable {
    private struct Key: Hashable {
        let target: String
        let base: String
    }

    private struct Entry {
        let response: Response
        let storedAt: UInt64
        var isClaimed = false

        var cost: Int { self.response.body.contentLength ?? 0 }
    }

    private static let countLimit = 1024
    /// Maximum size of all bodies and targets, in bytes.
    private static let byteLimit = 16 << 20

    private let entries: BoundedCache<Key, Entry>?
    /// In nanoseconds.
    private let lifetime: UInt64

    /// - Parameter lifetime: Zero disables the cache. Responses are used for at most twice as long.
    init(lifetime: Duration) {
        self.lifetime = min(lifetime.nanoseconds, .max / 2)
        self.entries =
            lifetime > .zero
            ? BoundedCache(
                countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime * 2,
                now: Uptime.nanoseconds)
            : nil
    }

    /// The stored response to the same target, or the result of `make`. Call after the client's key was accepted.
    ///
    /// - Parameter base: The prefix of URLs in the response.
    func response(
        to request: Request, base: String, _ make: () async throws -> Response
    ) async throws -> Response {
        guard let entries else { return try await make() }
        let key = Key(target: request.uri.string, base: base)
        if var entry = entries.value(for: key) {
            let age = Uptime.nanoseconds() - entry.storedAt
            // If the client that replaces the response is late as well, other clients start replacing it.
            if age < (entry.isClaimed ? self.lifetime * 2 : self.lifetime) { return entry.response }
            entry.isClaimed = true
            entries.insert(entry, for: key, cost: entry.cost + key.target.utf8.count)
        }
        do {
            let response = try await make()
            guard response.isForAll, response.body.contentLength != nil else {
                entries.remove(key)
                return response
            }
            let entry = Entry(response: response, storedAt: Uptime.nanoseconds())
            entries.insert(entry, for: key, cost: entry.cost + key.target.utf8.count)
            return response
        } catch {
            // The stored response would hide the failure from other clients.
            entries.remove(key)
            throw error
        }
    }
}

extension Response {
    /// Faults and stale responses are not shared.
    fileprivate var isForAll: Bool {
        self.status == .ok && self.headers[.cacheControl]?.hasPrefix("public") == true && self.headers[.age] == nil
    }
}
