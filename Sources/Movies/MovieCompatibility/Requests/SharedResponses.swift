import BoundedCache
import Flights
import HTTPTypes
import Hummingbird

/// Responses that any client may have, for a moment: many clients request the same at once.
///
/// Of the clients that find a response too old, one makes it again; the others get the old one for as long again, as of
/// ``HTTPServer/ResponseCache``, whose responses have other fields.
struct SharedResponses: Sendable {
    private struct Key: Hashable {
        let target: String
        let base: String
    }

    private struct Entry {
        let response: Response
        let storedAt: UInt64
        /// Whether one client makes it again.
        var isClaimed = false

        var cost: Int { self.response.body.contentLength ?? 0 }
    }

    /// The most responses.
    private static let countLimit = 1024
    /// The most bytes of all bodies and targets together.
    private static let byteLimit = 16 << 20

    /// nil when nothing is stored.
    private let entries: BoundedCache<Key, Entry>?
    /// In nanoseconds.
    private let lifetime: UInt64

    /// - Parameter lifetime: Zero stores nothing. Responses are used for at most twice as long.
    init(lifetime: Duration) {
        self.lifetime = min(lifetime.nanoseconds, .max / 2)
        self.entries =
            lifetime > .zero
            ? BoundedCache(
                countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime * 2,
                now: Uptime.nanoseconds)
            : nil
    }

    /// The stored response to the same target, or what `make` returns. To be called when the client's key has been accepted.
    ///
    /// - Parameter base: What URLs in the response begin with.
    func response(
        to request: Request, base: String, _ make: () async throws -> Response
    ) async throws -> Response {
        guard let entries else { return try await make() }
        let key = Key(target: request.uri.string, base: base)
        if var entry = entries.value(for: key) {
            let age = Uptime.nanoseconds() - entry.storedAt
            // When the other client is late, too, there are more that make it.
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
            // So that the failure is not hidden from other clients.
            entries.remove(key)
            throw error
        }
    }
}

extension Response {
    /// Faults and what is stale are no responses for others.
    fileprivate var isForAll: Bool {
        self.status == .ok && self.headers[.cacheControl]?.hasPrefix("public") == true && self.headers[.age] == nil
    }
}
