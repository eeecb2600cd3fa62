import Flights
package import Logging
package import MovieDomain
import Synchronization

/// A client of one JSON API: stores responses, coalesces identical requests in flight, cancels a request once its last waiter
/// has left, keeps to daily budgets and `Retry-After`, and uses stale responses while the upstream fails.
///
/// One instance per upstream serves the process.
package final class UpstreamClient: Sendable {
    /// Bounds of size.
    package struct Limits: Sendable, Hashable {
        /// Bytes of one response, `4 MiB` by default; a larger one is a ``SourceFailure/badAnswer(_:reason:)``.
        package var responseBytes = 4 << 20
        /// Decoded values in memory, `512` by default.
        package var values = 512
        /// Bytes of the responses that these were decoded from, `32 MiB` by default.
        package var valueBytes = 32 << 20

        package init() {}
    }

    /// An upstream and how to use it.
    package struct Configuration: Sendable {
        package var source: MovieSource
        /// An absolute URL without a slash at its end.
        package var baseURL: String
        package var credentials: [UpstreamCredential]
        package var lifetimes: UpstreamLifetimes
        /// nil without a daily budget. The rate per second is the transport's matter.
        package var budget: DailyBudget?
        package var limits: Limits

        package init(
            source: MovieSource, baseURL: String, credentials: [UpstreamCredential] = [],
            lifetimes: UpstreamLifetimes = UpstreamLifetimes(), budget: DailyBudget? = nil, limits: Limits = Limits()
        ) {
            self.source = source
            self.baseURL = baseURL
            self.credentials = credentials
            self.lifetimes = lifetimes
            self.budget = budget
            self.limits = limits
        }
    }

    /// Says what a response means, whatever its status.
    package typealias Classifier = @Sendable (UpstreamResponse) -> ResponseClassification

    /// The upstream and how to use it.
    package let configuration: Configuration
    let transport: any UpstreamTransport
    let store: ResponseStore?
    let classify: Classifier
    package let now: @Sendable () -> Instant
    let logger: Logger
    let values: DecodedValues
    let flights = SingleFlight<DecodedValues.Key, DecodedValues.Decoded>()
    let state = Mutex(UpstreamState())

    package var source: MovieSource { self.configuration.source }

    /// - Parameter classify: Runs first on every response, whatever its status. Upstreams that send failures as 200 need one.
    package init(
        _ configuration: Configuration, transport: any UpstreamTransport, store: ResponseStore?,
        classify: @escaping Classifier = { _ in .byStatus }, now: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        self.configuration = configuration
        self.transport = transport
        self.store = store
        self.classify = classify
        self.now = now
        self.logger = logger
        self.values = DecodedValues(
            maxCount: configuration.limits.values, maxBytes: configuration.limits.valueBytes)
    }

    /// The response to a request, decoded: the stored one while it is fresh, else a new or revalidated one, else, while the
    /// upstream fails, the stale one.
    ///
    /// - Parameters:
    ///   - request: A GET without secrets.
    ///   - decode: Runs once for each response, and depends on nothing but the request and the response: its value is shared by
    ///     all equal requests for a value of that type.
    /// - Returns: nil for a 404.
    /// - Throws: ``SourceFailure``; what `decode` throws is ``SourceFailure/badAnswer(_:reason:)``, unless it is a failure itself.
    ///   `CancellationError`.
    package func get<Value: Sendable>(
        _ request: UpstreamRequest, decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value? {
        precondition(
            request.method == .get && request.secrets.isEmpty, "responses to requests with secrets are not stored")
        let key = DecodedValues.Key(text: request.cacheKey, type: ObjectIdentifier(Value.self))
        if let decoded = self.values.value(for: key, at: self.now()) { return decoded.value as? Value }
        try Task.checkCancellation()
        let shared = try await self.flights.value(for: key, level: Urgency.current?.level ?? .interactive) { _ in
            try await self.load(request, for: key, decode: decode)
        }
        return shared.value.value as? Value
    }

    /// As ``get(_:decode:)``, but a response that is older than an age counts as stale: it turned out to be outdated.
    /// - Parameter age: Bounds how often the upstream is requested: younger responses are returned as they are.
    package func refreshed<Value: Sendable>(
        _ request: UpstreamRequest, ifOlderThan age: Duration,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value? {
        let key = DecodedValues.Key(text: request.cacheKey, type: ObjectIdentifier(Value.self))
        let flight = DecodedValues.Key(text: "refreshed \(key.text)", type: key.type)
        let oldest = self.now().adding(.zero - age)
        let shared = try await self.flights.value(for: flight, level: Urgency.current?.level ?? .interactive) { _ in
            try await self.load(request, for: key, storedSince: oldest, decode: decode)
        }
        return shared.value.value as? Value
    }

    /// The response to a request, neither stored nor shared, whatever its status unless it is classified as a failure.
    /// - Throws: ``SourceFailure``, also for the statuses 429 and from 500; `CancellationError`.
    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        let response = try await self.perform(request, etag: nil)
        switch self.classify(response) {
        case .failure(let failure): throw self.noting(failure)
        case .byStatus where response.status == 429 || response.status >= 500:
            throw self.failure(byStatusOf: response)
        case .byStatus, .uncertain, .shortLived, .missing:
            self.state.withLock { $0.noteResponse(at: self.now()) }
            return response
        }
    }
}
