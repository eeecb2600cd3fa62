import BoundedCache
import Flights
import HTTPServer
import MovieDomain
import NIOCore

/// Encoded responses that any client may have, for a short time: many clients ask for the same lists at once.
struct ResponseCache: Sendable {
    /// What a response to a client without credentials depends on.
    struct Key: Hashable, Sendable {
        /// Path and query, as sent.
        let target: String
        let languages: LanguagePreference
        /// Of the picture policies: URLs of pictures depend on them.
        let generation: UInt64
    }

    /// The most responses.
    static let countLimit = 1024
    /// The most bytes of all together.
    static let byteLimit = 16 << 20

    private let responses: BoundedCache<Key, JSONResponse>

    /// - Parameters:
    ///   - lifetime: Zero keeps nothing.
    ///   - now: A monotonic time in nanoseconds.
    init(lifetime: Duration, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.responses = BoundedCache(
            countLimit: Self.countLimit, costLimit: Self.byteLimit, timeToLive: lifetime, now: now)
    }

    /// nil when there is none, or it is too old.
    func response(for key: Key) -> JSONResponse? { self.responses.value(for: key) }

    /// Stores a response that any client may have; ignores others.
    func insert(_ response: JSONResponse, for key: Key) {
        guard case .shared = response.keeping else { return }
        self.responses.insert(response, for: key, cost: response.bytes.readableBytes)
    }
}
