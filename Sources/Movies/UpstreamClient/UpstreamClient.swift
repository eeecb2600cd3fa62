import BoundedCache
import Flights
import HTTPSemantics
package import Logging
package import MovieDomain
import Synchronization

/// A client of one JSON API: stores responses, coalesces identical requests in flight, cancels a request after its last
/// waiter has left, observes daily budgets and `Retry-After`, and returns stale responses at once while it revalidates
/// them in the background.
///
/// Create one instance per upstream and process.
package final class UpstreamClient: Sendable {
    /// The size limit of a response in bytes; a larger one is a ``SourceFailure/badAnswer(_:reason:)``.
    static let maxResponseBytes = 4 << 20
    /// The limit of concurrent revalidations; further ones happen at a later use. It is half of a process's default
    /// limit of concurrent fetches, so that a hanging upstream leaves the other half to waiting clients.
    static let revalidationLimit = 8
    /// The limit of supplement requests that can continue without a waiter; further ones end with their last waiter.
    static let supplementLimit = 32
    /// The maximal number of recorded failed requests, the latest.
    static let failureLimit = 1024

    /// The dependencies that a process's clients share.
    package struct Environment: Sendable {
        let transport: any UpstreamTransport
        let store: ResponseStore?
        /// `nil` if no other process uses the same keys.
        let budgets: (any SharedDailyBudgets)?
        package let now: @Sendable () -> Instant
        let logger: Logger
        /// How long a response waits for all its supplements together.
        package let supplementTimeout: Duration
        /// Waits for ``supplementTimeout``.
        package let sleep: @Sendable (Duration) async throws -> Void
        let decoding: DecodingPool

        /// - Parameters:
        ///   - store: Stores responses across restarts; `nil` for memory only.
        ///   - budgets: Shares daily budgets with other nodes; `nil` if there are none.
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

    /// Classifies a response, whatever its status.
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
    ///   - baseURL: An absolute URL without a trailing slash.
    ///   - credentials: The parts of this service's key.
    ///   - budget: The daily budget; `nil` without a limit. The transport limits the rate per second.
    ///   - classify: Classifies every response before its status is considered; required for upstreams that send errors
    ///     as 200.
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

    package func now() -> Instant { self.environment.now() }

    /// Returns the decoded response to a request: the stored one while it is fresh, and for ``UpstreamLifetimes/stale``
    /// after that while it is revalidated in the background; else a new one.
    ///
    /// The current ``HTTPSemantics/FreshnessRecorder`` records stale responses. A request for a ``Supplement`` waits
    /// for at most ``Environment/supplementTimeout``.
    ///
    /// - Parameters:
    ///   - request: A GET without secrets.
    ///   - age: The maximal age of a stored response unless the upstream fails; `nil` for no limit.
    ///   - decode: Runs once per response; must depend only on the request and the response, because all equal requests
    ///     for a value of this type share its value.
    /// - Returns: `nil` if the upstream has no such resource, according to ``classify``.
    /// - Throws: ``SourceFailure``; other errors of `decode` become ``SourceFailure/badAnswer(_:reason:)``.
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

    /// Cancels all background work, and starts no more.
    package func close() {
        self.revalidations.close()
        self.lateSupplements.close()
    }

    /// Sends a request and returns its response, neither stored nor shared, whatever its status unless it is classified
    /// as a failure.
    /// - Throws: ``SourceFailure``, also for status 429 and statuses from 500; `CancellationError`.
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

extension UpstreamClient {
    /// Decodes a response, on a thread of the ``DecodingPool`` if it is large.
    ///
    /// After a cancellation, `decode` continues without the rest of the response: see
    /// ``DecodingPool/checkCompleteness()``.
    ///
    /// - Throws: ``SourceFailure``, also for errors of `decode`, a full queue and a timeout; `CancellationError`.
    package func decoded<Value: Sendable>(
        _ response: UpstreamResponse, _ decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value {
        try await self.decoded(byteCount: response.body.count) { try decode(response) }
    }

    /// Like ``decoded(_:_:)`` for a response, with its body only.
    package func decoded<Value: Sendable>(
        _ body: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        try await self.decoded(byteCount: body.count) { try decode(body) }
    }

    private func decoded<Value: Sendable>(
        byteCount: Int, _ decode: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await self.environment.decoding.run(byteCount: byteCount, decode)
        } catch let full as WeightedSemaphore.QueueFull {
            throw SourceFailure.busy(self.source, retryAfterSeconds: RetryAfter.seconds(full.estimatedWait))
        } catch is DecodingPool.TimedOut {
            throw SourceFailure.tooSlow(self.source)
        } catch is CancellationError {
            throw CancellationError()
        } catch let failure as SourceFailure {
            throw failure
        } catch {
            // Other errors may quote the response, which must not be logged.
            let reason = (error as? UnreadableResponse)?.description ?? "\(type(of: error))"
            throw SourceFailure.badAnswer(self.source, reason: reason)
        }
    }
}
