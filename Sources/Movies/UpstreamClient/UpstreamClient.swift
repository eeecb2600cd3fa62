import BoundedCache
import Flights
package import Logging
package import MovieDomain
import Synchronization

/// A client of one JSON API: stores responses, coalesces identical requests in flight, cancels a request once its last waiter
/// has left, keeps to daily budgets and `Retry-After`, and returns stale responses at once, which it revalidates in the
/// background.
///
/// One instance per upstream serves the process.
package final class UpstreamClient: Sendable {
    /// The largest response, in bytes; a larger one is a ``SourceFailure/badAnswer(_:reason:)``.
    static let maxResponseBytes = 4 << 20
    /// The most revalidations at once; the others happen at a later use. Half of the fetches that a process has at once by
    /// default, so that an upstream that hangs leaves the others to clients that wait.
    static let revalidationLimit = 8
    /// The most supplements at once that no client waits for any more.
    static let supplementLimit = 32
    /// The most failed requests that are remembered, the latest.
    static let failureLimit = 1024

    /// What the clients of a process share.
    package struct Environment: Sendable {
        let transport: any UpstreamTransport
        let store: ResponseStore?
        /// nil when no other process has the same keys.
        let budgets: (any SharedDailyBudgets)?
        package let now: @Sendable () -> Instant
        let logger: Logger
        /// How long a response waits for all its supplements together.
        package let supplementTimeout: Duration
        /// Used for that time.
        package let sleep: @Sendable (Duration) async throws -> Void
        /// Decodes large responses.
        let decoding: DecodingPool

        /// - Parameters:
        ///   - store: Stores responses beyond the process; nil for memory alone.
        ///   - budgets: Shares daily budgets with other nodes; nil when there are none.
        ///   - supplementTimeout: How long a response waits for all its supplements together; see ``Supplement``.
        ///   - decoding: Decodes the large responses of all clients.
        package init(
            transport: any UpstreamTransport, store: ResponseStore?, budgets: (any SharedDailyBudgets)? = nil,
            now: @escaping @Sendable () -> Instant, logger: Logger, supplementTimeout: Duration = .seconds(1),
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            decoding: DecodingPool = DecodingPool()
        ) {
            self.transport = transport
            self.store = store
            self.budgets = budgets
            self.now = now
            self.logger = logger
            self.supplementTimeout = supplementTimeout
            self.sleep = sleep
            self.decoding = decoding
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
    let flights = SingleFlight<DecodedValues.Key, DecodedValues.Entry>()
    let revalidations = BackgroundTasks<DecodedValues.Key, DecodedValues.Key>(
        limit: UpstreamClient.revalidationLimit, overflow: .ignoresNew, priority: .utility)
    let lateSupplements = BackgroundTasks<DecodedValues.Key, DecodedValues.Key>(
        limit: UpstreamClient.supplementLimit, overflow: .ignoresNew, priority: .medium)
    let failures = BoundedCache<DecodedValues.Key, FailedRequest>(countLimit: UpstreamClient.failureLimit)
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

    /// The response to a request, decoded: the stored one while it is fresh, and for ``UpstreamLifetimes/stale`` after that
    /// while it is revalidated in the background; else a new one.
    ///
    /// The current ``HTTPSemantics/FreshnessRecorder`` records that it is stale. A request for a ``Supplement`` waits for
    /// ``Environment/supplementTimeout`` at most.
    ///
    /// - Parameters:
    ///   - request: A GET without secrets.
    ///   - age: A stored response that is older is not returned unless the upstream fails; nil for no limit.
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
        return age == nil && Supplement.isCurrent
            ? try await self.supplement(request, for: key, decode: decode)
            : try await self.value(request, for: key, notOlderThan: age, decode: decode)
    }

    /// Cancels all that goes on in the background, and starts nothing there any more.
    package func close() {
        self.revalidations.close()
        self.lateSupplements.close()
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
