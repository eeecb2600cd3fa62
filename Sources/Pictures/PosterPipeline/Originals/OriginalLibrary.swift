import BoundedCache
import Flights
import HTTPSemantics
import Logging
import PosterCodec
import Synchronization

/// Loads originals from the store, or else from their origin, in one flight each, and revalidates stale ones.
final class OriginalLibrary: Sendable {
    /// Maximum number of originals with cached metadata, some 400 bytes each.
    static let directoryLimit = 100_000
    static let failureLimit = 10_000
    static let revalidationLimit = 32
    /// Maximum number of times that an original is loaded again for the same waiters, as it was purged meanwhile.
    static let reloadLimit = 16

    struct Retrieval: Sendable {
        let stored: StoredOriginal
        let wasFetched: Bool
        let fetchNanoseconds: UInt64
        var staleness: Staleness?
        var isShared = false
        /// The status of a conditional request for a stored original: 200 or 304; `nil` without one.
        var validationStatus: Int?
        /// Whether the original was purged or withdrawn while it was loaded.
        var isForgotten = false

        var original: Original { self.stored.original }
    }

    let locator: any PosterLocator
    let store: any OriginalStore
    let source: any OriginalSource
    /// `nil` if no other node shares the store of originals.
    let leases: (any FetchLeases)?
    let freshness: FreshnessPolicy
    let logger: Logger
    let now: @Sendable () -> UInt64
    let secondsSince1970: @Sendable () -> Int64
    let metadata: OriginalMetadataCache
    private let commits = CommitsInProgress()
    let retrievals = SingleFlight<PosterID, Retrieval>()
    let failures: NegativeCache<PosterID>
    let counters: PipelineCounters
    /// `nil` without other nodes.
    let events: (any OriginalEventPublisher)?
    /// Wraps a draft so that its bytes can be decoded while they arrive.
    let observing: @Sendable (any OriginalDraft, PosterID) -> any OriginalDraft
    /// One per original; beyond the limit none is started, and the next request tries again.
    let revalidations = BackgroundTasks<PosterID, PosterID>(
        limit: OriginalLibrary.revalidationLimit, overflow: .ignoresNew, priority: .utility)
    let failedRevalidations: NegativeCache<PosterID>

    init(
        _ originals: OriginalPorts, freshness: FreshnessPolicy, failureDuration: Duration, counters: PipelineCounters,
        environment: PipelineEnvironment, whenRemoved: @escaping @Sendable (PosterID, Digest) -> Void,
        observing: @escaping @Sendable (any OriginalDraft, PosterID) -> any OriginalDraft
    ) {
        self.metadata = OriginalMetadataCache(limit: Self.directoryLimit, whenRemoved: whenRemoved)
        self.observing = observing
        self.counters = counters
        self.locator = originals.locator
        self.store = originals.store
        self.source = originals.source
        self.leases = originals.leases
        self.events = originals.events
        self.freshness = freshness
        self.logger = environment.logger
        self.now = environment.now
        self.secondsSince1970 = environment.secondsSince1970
        self.failures = NegativeCache(
            countLimit: Self.failureLimit, timeToLive: failureDuration, now: environment.now)
        self.failedRevalidations = NegativeCache(
            countLimit: Self.failureLimit, timeToLive: failureDuration, now: environment.now)
    }

    /// The cached metadata of an original that may be served: fresh, or stale, which starts its revalidation.
    func known(_ id: PosterID) -> (facts: OriginalFacts, state: OriginalState, staleness: Staleness?)? {
        guard let entry = self.metadata.entry(for: id) else { return nil }
        let now = self.secondsSince1970()
        let seconds = entry.freshness.staleness(at: now)
        guard seconds >= 0 else { return (entry.facts, entry.state(at: now), nil) }
        guard seconds < self.freshness.staleIfError else { return nil }
        return (entry.facts, entry.state(at: now), self.revalidateInBackground(id, staleFor: seconds))
    }

    /// The cached metadata of an original, however stale, and the facts of its previous bytes.
    func lastKnown(
        _ id: PosterID
    ) -> (facts: OriginalFacts, state: OriginalState, previous: OriginalFacts?, staleSeconds: Int64)? {
        guard let entry = self.metadata.entry(for: id) else { return nil }
        let now = self.secondsSince1970()
        let seconds = max(0, entry.freshness.staleness(at: now))
        return (entry.facts, entry.state(at: now), entry.previous, seconds)
    }

    func provenance(of retrieval: Retrieval) -> Provenance {
        Provenance(
            reach: retrieval.wasFetched ? .origin : .cache, staleness: retrieval.staleness,
            original: retrieval.stored.state(at: self.secondsSince1970(), isConfirmed: retrieval.wasFetched))
    }

    /// Whether the original is not known to have been replaced by other bytes.
    func isCurrent(_ original: Original) -> Bool {
        guard let entry = self.metadata.entry(for: original.id) else { return true }
        return entry.facts.digest == original.digest
    }

    func original(_ id: PosterID, level: Urgency.Level) async throws -> Retrieval {
        if let failure = self.failures.value(for: id) { throw failure }
        let shared = try await self.retrievals.value(for: id, level: level) { urgency in
            try await self.retrieve(id, urgency: urgency) { try await self.load(id, urgency: urgency) }
        }
        var retrieval = shared.value
        retrieval.isShared = shared.hasJoined
        if retrieval.wasFetched, shared.hasJoined { self.counters.count(.originalCoalesced) }
        return retrieval
    }

    /// Handles a codec error of a verified original: removes damaged originals, logs the others.
    func reject(_ original: Original, because error: CodecError) async {
        let metadata: Logger.Metadata = ["poster.id": "\(original.id.loggedText)", "error.message": "\(error)"]
        switch error {
        case .damaged, .truncated:
            self.logger.notice("Original cannot be rendered", metadata: metadata)
            if self.isCurrent(original) { self.failures.insert(PosterError(error), for: original.id) }
            self.metadata.forget(original.id, digest: original.digest)
            await self.store.remove(original.id, digest: original.digest)
        case .decoderEnded:
            // The file is complete as the origin sent it; the renderer caches the failure.
            self.logger.warning("Original cannot be rendered", metadata: metadata)
        case .internalError:
            self.logger.error("Variant cannot be rendered", metadata: metadata)
        case .notAnImage, .unsupported, .switchedOff, .overLimit, .sideTooLong, .tooManyPixels, .unencodable, .stopped,
            .outOfMemory:
            // The file is not at fault.
            self.logger.info("Variant cannot be rendered", metadata: metadata)
        }
    }

    /// - Parameter onlyHere: Whether the copy in the shared store stays.
    func purge(_ id: PosterID, onlyHere: Bool) async throws -> Bool {
        // First, so that no request in progress caches it afterwards.
        self.metadata.forget(id)
        try await self.commits.wait(for: id)
        let wasStored = try await onlyHere ? self.store.purgeHere(id) : self.store.purge(id)
        self.metadata.forget(id)
        self.failures.remove(id)
        self.failedRevalidations.remove(id)
        self.leases?.forgetOutcome(of: id)
        return wasStored
    }

    /// Runs `first`; loads the original again as often as it was purged meanwhile, so that waiters get the current one.
    /// - Throws: ``PosterError/overloaded(retryAfter:)`` after ``reloadLimit`` repetitions; the errors of `first` and of
    ///   loading.
    func retrieve(
        _ id: PosterID, urgency: Urgency, _ first: () async throws -> Retrieval
    ) async throws -> Retrieval {
        for attempt in 0...Self.reloadLimit {
            do {
                let retrieval = try await self.recordingFailure(id) {
                    try await attempt == 0 ? first() : self.load(id, urgency: urgency)
                }
                guard retrieval.isForgotten else { return retrieval }
                if retrieval.wasFetched { await self.store.remove(id, digest: retrieval.original.digest) }
            } catch is Forgotten {}
        }
        let error = PosterError.overloaded(retryAfter: 1)
        self.log("Original was purged during each of \(Self.reloadLimit + 1) loads", id, error)
        throw error
    }

    /// An original was purged or withdrawn while it was fetched, and is not stored.
    struct Forgotten: Error {}

    /// An original has no location.
    struct Unlocated: Error {
        let reason: PosterError
    }

    /// Commits a draft, unless its original was forgotten since `epoch`: nothing that a purge has not seen becomes
    /// visible after it, also if the process ends.
    /// - Throws: ``Forgotten``, and the errors of `body`.
    func committing<Value>(
        _ id: PosterID, since epoch: OriginalMetadataCache.Epoch, _ body: () async throws -> Value
    ) async throws -> Value {
        try await self.commits.enter(id) {
            if self.metadata.isForgotten(id, since: epoch) { throw Forgotten() }
            return try await body()
        }
    }

    /// Runs `body`, and caches its failure if another attempt would fail in the same way.
    func recordingFailure<Value>(_ id: PosterID, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            let refusal = error as? Unlocated
            let error = refusal?.reason ?? error
            // Any number of ids without a location can be made up: recording them as forgotten would displace others.
            // Without cached metadata there is nothing to forget.
            let isForgettable = refusal == nil || self.metadata.entry(for: id) != nil
            if isForgettable, Self.disproves(error) { self.disprove(id, error) }
            if let error = error as? PosterError, Self.isRemembered(error) { self.failures.insert(error, for: id) }
            if !(error is CancellationError || error is Forgotten) { self.log("Original cannot be loaded", id, error) }
            throw error
        }
    }

    private func disprove(_ id: PosterID, _ error: any Error) {
        let known = self.metadata.entry(for: id)
        self.metadata.forget(id)
        if let known, let error = error as? PosterError, Self.isWithdrawal(error) {
            self.events?.publishLater(.withdrawn(id, known.facts.digest))
        }
    }

    /// Whether an error disproves the cached metadata; overload and cancellation do not.
    static func disproves(_ error: any Error) -> Bool {
        switch error as? PosterError {
        case .unknownSource, .unknownPoster, .unacceptableKey, .originRefused: true
        default: false
        }
    }

    /// Whether another attempt would most likely fail in the same way.
    static func isRemembered(_ error: PosterError) -> Bool {
        switch error {
        case .badOriginal, .unsupportedImage, .overLimit, .unknownPoster, .originRefused: true
        default: false
        }
    }

    /// Whether the origin has no such original, or refuses to send it.
    static func isWithdrawal(_ error: PosterError) -> Bool {
        switch error {
        case .unknownPoster, .originRefused: true
        default: false
        }
    }

    func log(_ message: Logger.Message, _ id: PosterID, _ error: any Error) {
        self.logger.info(message, metadata: ["poster.id": "\(id.loggedText)", "error.message": "\(error)"])
    }
}
