import Flights
public import Logging
public import MovieDomain
import Synchronization

/// Asks one upstream, as seldom as can be: answers are kept, identical requests in flight are one, and what nobody waits for any more is
/// cancelled.
///
/// Make one for each upstream, for the whole process.
public final class UpstreamClient: Sendable {
    /// What the client holds at most.
    public struct Limits: Sendable, Hashable {
        /// Of one answer, `4 MiB` by default; a larger one is a ``SourceFailure/badAnswer(_:reason:)``.
        public var answerBytes = 4 << 20
        /// Decoded values in memory, `512` by default.
        public var values = 512
        /// Bytes of the answers that these were decoded from, `32 MiB` by default.
        public var valueBytes = 32 << 20

        /// The defaults.
        public init() {}
    }

    /// Who is asked, and how.
    public struct Configuration: Sendable {
        /// Whose answers they are.
        public var source: MovieSource
        /// An absolute URL without a slash at its end.
        public var baseURL: String
        /// Our key, however many parts it has.
        public var credentials: [UpstreamCredential]
        /// How long answers are of use.
        public var lifetimes: UpstreamLifetimes
        /// nil for any number of requests a day. How many a second is the transport's matter.
        public var budget: DailyBudget?
        /// What is held.
        public var limits: Limits

        /// An upstream.
        public init(
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

    /// Sees what an answer really is.
    public typealias Judge = @Sendable (UpstreamAnswer) -> UpstreamVerdict

    /// Who is asked, and how.
    public let configuration: Configuration
    let transport: any UpstreamTransport
    let store: AnswerStore?
    let judge: Judge
    package let now: @Sendable () -> Instant
    let logger: Logger
    let values: DecodedValues
    let flights = SingleFlight<DecodedValues.Key, DecodedValues.Decoded>()
    let upkeep = Mutex(UpstreamUpkeep())

    /// Whose answers they are.
    public var source: MovieSource { self.configuration.source }

    /// A client.
    ///
    /// - Parameters:
    ///   - store: Where answers are kept beyond the process; nil for nowhere.
    ///   - judge: Is asked of every answer, whatever its status, before anything else is done with it. Upstreams whose failures come as a 200
    ///     need one.
    ///   - now: The time of day.
    public init(
        _ configuration: Configuration, transport: any UpstreamTransport, store: AnswerStore?,
        judge: @escaping Judge = { _ in .asItsStatusSays }, now: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        self.configuration = configuration
        self.transport = transport
        self.store = store
        self.judge = judge
        self.now = now
        self.logger = logger
        self.values = DecodedValues(
            maxCount: configuration.limits.values, maxBytes: configuration.limits.valueBytes)
    }

    /// The answer to a request, decoded: one that is kept if it is fresh, else a new or confirmed one, else, when there is none to be had, one
    /// that is kept and stale.
    ///
    /// - Parameters:
    ///   - request: A GET without secrets.
    ///   - decode: Runs once for each answer, and depends on nothing but the request and the answer: what it returns is given to whoever asks
    ///     the same for a value of the same type.
    /// - Returns: nil when there is no such thing.
    /// - Throws: ``SourceFailure``; what `decode` throws is ``SourceFailure/badAnswer(_:reason:)``, unless it is a failure itself.
    ///   `CancellationError`.
    public func get<Value: Sendable>(
        _ request: UpstreamRequest, decode: @escaping @Sendable (UpstreamAnswer) throws -> Value
    ) async throws -> Value? {
        precondition(request.method == .get && request.secrets.isEmpty, "what is secret is not kept")
        let key = DecodedValues.Key(text: request.cacheKey, type: ObjectIdentifier(Value.self))
        if let decoded = self.values.value(for: key, at: self.now()) { return decoded.value as? Value }
        try Task.checkCancellation()
        let landing = try await self.flights.value(for: key, level: Urgency.current?.level ?? .interactive) { _ in
            try await self.load(request, for: key, decode: decode)
        }
        return landing.value.value as? Value
    }

    /// The answer to a request that turned out to be outdated: as ``get(_:decode:)``, but one that was kept before a while counts as stale.
    ///
    /// - Parameter age: How long ago, at least: whoever asks this again and again is told what is kept.
    package func renewed<Value: Sendable>(
        _ request: UpstreamRequest, unlessYoungerThan age: Duration,
        decode: @escaping @Sendable (UpstreamAnswer) throws -> Value
    ) async throws -> Value? {
        let key = DecodedValues.Key(text: request.cacheKey, type: ObjectIdentifier(Value.self))
        let flight = DecodedValues.Key(text: "renewed \(key.text)", type: key.type)
        let oldest = self.now().adding(.zero - age)
        let landing = try await self.flights.value(for: flight, level: Urgency.current?.level ?? .interactive) { _ in
            try await self.load(request, for: key, keptSince: oldest, decode: decode)
        }
        return landing.value.value as? Value
    }

    /// The answer to a request that is neither kept nor shared, whatever its status; see ``UpstreamVerdict`` for those that are failures.
    ///
    /// - Throws: ``SourceFailure``, also for the statuses 429 and from 500; `CancellationError`.
    public func send(_ request: UpstreamRequest) async throws -> UpstreamAnswer {
        let answer = try await self.ask(request, etag: nil)
        switch self.judge(answer) {
        case .failure(let failure): throw self.failure(judged: failure)
        case .asItsStatusSays where answer.status == 429 || answer.status >= 500:
            throw self.failure(byStatusOf: answer)
        case .asItsStatusSays, .doubtful, .passing, .missing:
            self.upkeep.withLock { $0.noteAnswer(at: self.now()) }
            return answer
        }
    }
}
