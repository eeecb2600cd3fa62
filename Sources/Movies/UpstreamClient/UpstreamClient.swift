import Flights
package import Logging
package import MovieDomain
import Synchronization

/// A client of one JSON API: stores responses, coalesces identical requests in flight, cancels a request once its last waiter
/// has left, keeps to daily budgets and `Retry-After`, and uses stale responses while the upstream fails.
///
/// One instance per upstream serves the process.
package final class UpstreamClient: Sendable {
    /// The largest response, in bytes; a larger one is a ``SourceFailure/badAnswer(_:reason:)``.
    static let maxResponseBytes = 4 << 20

    /// What the clients of a process share.
    package struct Environment: Sendable {
        let transport: any UpstreamTransport
        let store: ResponseStore?
        package let now: @Sendable () -> Instant
        let logger: Logger

        /// - Parameter store: Stores responses beyond the process; nil for memory alone.
        package init(
            transport: any UpstreamTransport, store: ResponseStore?, now: @escaping @Sendable () -> Instant,
            logger: Logger
        ) {
            self.transport = transport
            self.store = store
            self.now = now
            self.logger = logger
        }
    }

    /// Says what a response means, whatever its status.
    package typealias Classifier = @Sendable (UpstreamResponse) -> ResponseClassification

    package let source: MovieSource
    let baseURL: String
    let credentials: [UpstreamCredential]
    let lifetimes: UpstreamLifetimes
    let budget: DailyBudget?
    let environment: Environment
    let classify: Classifier
    let values = DecodedValues()
    let flights = SingleFlight<DecodedValues.Key, DecodedValues.Decoded>()
    let state = Mutex(UpstreamState())

    /// - Parameters:
    ///   - baseURL: An absolute URL without a slash at its end.
    ///   - credentials: The parts of this service's key.
    ///   - budget: nil without a daily budget. The rate per second is the transport's matter.
    ///   - classify: Runs first on every response, whatever its status. Upstreams that send failures as 200 need one.
    package init(
        source: MovieSource, baseURL: String, credentials: [UpstreamCredential] = [],
        lifetimes: UpstreamLifetimes = UpstreamLifetimes(), budget: DailyBudget? = nil, in environment: Environment,
        classify: @escaping Classifier = { _ in .byStatus }
    ) {
        self.source = source
        self.baseURL = baseURL
        self.credentials = credentials
        self.lifetimes = lifetimes
        self.budget = budget
        self.environment = environment
        self.classify = classify
    }

    /// The time of day.
    package func now() -> Instant { self.environment.now() }

    /// The response to a request, decoded: the stored one while it is fresh, else a new or revalidated one, else, while the
    /// upstream fails, the stale one.
    ///
    /// - Parameters:
    ///   - request: A GET without secrets.
    ///   - age: A stored response that is older counts as stale; nil for no limit.
    ///   - decode: Runs once for each response, and depends on nothing but the request and the response: its value is shared by
    ///     all equal requests for a value of that type.
    /// - Returns: nil when the upstream has no such thing, which only ``classify`` says.
    /// - Throws: ``SourceFailure``; what `decode` throws is ``SourceFailure/badAnswer(_:reason:)``, unless it is a failure itself.
    ///   `CancellationError`.
    package func get<Value: Sendable>(
        _ request: UpstreamRequest, notOlderThan age: Duration? = nil,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value? {
        precondition(
            request.method == .get && request.secrets.isEmpty, "responses to requests with secrets are not stored")
        let key = DecodedValues.Key(text: request.cacheKey, type: ObjectIdentifier(Value.self))
        let oldest = age.map { self.now().adding(.zero - $0) }
        if oldest == nil, let decoded = self.values.value(for: key, at: self.now()) { return decoded.value as? Value }
        try Task.checkCancellation()
        let flight = oldest == nil ? key : DecodedValues.Key(text: "refreshed \(key.text)", type: key.type)
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
