import BoundedCache
import Flights
import HTTPTypes
import Hummingbird

/// Responses that any client may have, for a moment: many clients request the same at once.
struct SharedResponses: Sendable {
    private struct Key: Hashable {
        let target: String
        let base: String
    }

    /// The most responses.
    private static let countLimit = 1024
    /// The most bytes of all bodies and targets together.
    private static let byteLimit = 16 << 20

    /// nil when nothing is stored.
    private let responses: BoundedCache<Key, Response>?

    /// - Parameter lifetime: Zero stores nothing.
    init(lifetime: Duration) {
        self.responses =
            lifetime > .zero
            ? BoundedCache(
                countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime, now: Uptime.nanoseconds)
            : nil
    }

    /// The stored response to the same target, or what `make` returns. To be called when the client's key has been accepted.
    ///
    /// - Parameter base: What URLs in the response begin with.
    func response(
        to request: Request, base: String, _ make: () async throws -> Response
    ) async throws -> Response {
        guard let responses else { return try await make() }
        let key = Key(target: request.uri.string, base: base)
        if let response = responses.value(for: key) { return response }
        let response = try await make()
        if response.isForAll, let length = response.body.contentLength {
            responses.insert(response, for: key, cost: length + key.target.utf8.count)
        }
        return response
    }
}

extension Response {
    /// Faults and what is stale are no responses for others.
    fileprivate var isForAll: Bool {
        self.status == .ok && self.headers[.cacheControl]?.hasPrefix("public") == true && self.headers[.age] == nil
    }
}
