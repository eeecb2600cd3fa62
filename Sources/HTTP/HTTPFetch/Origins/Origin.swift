import Flights
import Synchronization

/// The state of one origin: its concurrency limit, rate limit, circuit breaker, pause and counters. Every operation is
/// O(1).
final class Origin: Sendable {
    /// Scheme, host and port (RFC 6454).
    struct Key: Hashable, Sendable {
        let scheme: String
        let host: String
        let port: UInt16

        var name: String { "\(self.scheme)://\(self.host):\(self.port)" }
    }

    private struct State {
        var breaker: CircuitBreaker
        var rate: RateLimiter
        var pausedUntil: UInt64 = 0
        /// Fetches between ``Origin/enter()`` and ``Origin/leave()``, waiting or running.
        var presentCount = 0
        var lastFailure: FetchError?
        /// In nanoseconds; 0 before the first transfer.
        var meanTransferTime: UInt64 = 0
        var totals = OriginState.Totals()

        func pause(at now: UInt64) -> Duration? {
            self.pausedUntil > now ? .nanoseconds(self.pausedUntil - now) : nil
        }

        func pauseRefusal(at now: UInt64) -> FetchError? {
            self.pause(at: now).map { .originPaused(retryAfter: $0) }
        }
    }

    let key: Key
    private let timing: FetchTiming
    /// ``FetchConfiguration/minTransferTime`` in nanoseconds.
    let minTransferTime: UInt64
    private let semaphore: WeightedSemaphore
    /// `nil` if there is no rate limit, or no other nodes share it.
    private let leasedRate: LeasedRate?
    private let state: Mutex<State>

    func now() -> UInt64 { self.timing.now() }

    /// - Parameters:
    ///   - sharedRates: Shares the rate with other nodes; `nil` without other nodes.
    ///   - whenAdmitted: Called with the time that each fetch waited for its slot, in nanoseconds.
    init(
        _ key: Key, configuration: FetchConfiguration, timing: FetchTiming, sharedRates: (any SharedRates)? = nil,
        whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) {
        let limits = configuration.limits(forHost: key.host, port: key.port)
        self.key = key
        self.timing = timing
        self.minTransferTime = configuration.minTransferTime.nanoseconds
        self.semaphore = WeightedSemaphore(
            WeightedSemaphore.Limits(count: limits.maxFetches, queue: limits.maxWaiting), now: timing.now,
            whenAdmitted: whenAdmitted)
        let rate = limits.rateLimit
        self.leasedRate =
            if let sharedRates, rate.interval > 0 {
                LeasedRate(key.name, limit: rate, shared: sharedRates, now: timing.now)
            } else {
                nil
            }
        self.state = Mutex(State(breaker: CircuitBreaker(configuration.breaker), rate: RateLimiter(rate)))
    }

    /// Registers a fetch until ``leave()``.
    /// - Returns: Whether ``withTurn(urgency:_:)`` will have a slot for it immediately.
    /// - Throws: ``FetchError/originPaused(retryAfter:)`` and ``FetchError/circuitOpen(retryAfter:)``, without
    ///   registering it.
    func enter() throws(FetchError) -> Bool {
        try self.state.withLock { state throws(FetchError) in
            try self.checkOpen(state)
            state.presentCount += 1
            // A fetch releases its slot before it leaves: present fetches never use more slots than their number.
            return state.presentCount <= self.semaphore.limits.count
        }
    }

    func leave() {
        self.state.withLock { $0.presentCount -= 1 }
    }

    /// Runs a fetch as soon as a slot is free, and records its outcome.
    /// - Throws: ``FetchError/overloaded(retryAfter:)``, ``FetchError/originPaused(retryAfter:)`` and
    ///   ``FetchError/circuitOpen(retryAfter:)`` without having run it; errors of `fetch`; `CancellationError`.
    func withTurn(
        urgency: Urgency, _ fetch: (OriginTransferTime) async throws -> FetchResponse
    ) async throws -> FetchResponse {
        do {
            return try await self.semaphore.withPermit(urgency: urgency) {
                // Checked again: the origin may have failed or paused while the fetch waited.
                let ticket = try self.state.withLock { state throws(FetchError) in
                    try self.checkOpen(state)
                    return state.breaker.admit()
                }
                let exposure = OriginTransferTime(self)
                do {
                    let response = try await fetch(exposure)
                    self.record(Self.failureStatuses.contains(response.status) ? .failure : .success, of: ticket)
                    return response
                } catch {
                    let cause = (error as? HopFailure)?.error ?? error
                    self.record(exposure.outcome(of: error), of: ticket, cause: cause as? FetchError)
                    throw cause
                }
            }
        } catch let error as WeightedSemaphore.QueueFull {
            throw FetchError.overloaded(retryAfter: max(FetchConfiguration.minRetryAfter, error.estimatedWait))
        }
    }

    /// Waits until the rate limit allows an attempt.
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` immediately if that takes longer than `limit`;
    ///   ``FetchError/originPaused(retryAfter:)``; `CancellationError`.
    func waitForRate(atMost limit: Duration) async throws {
        let end = self.now().addingClamped(limit.nanoseconds)
        while true {
            switch try await self.turn(until: end) {
            case .refused(let wait):
                throw FetchError.overloaded(
                    retryAfter: max(FetchConfiguration.minRetryAfter, .nanoseconds(wait)))
            case .later(let moment): try await self.sleep(until: moment)
            case .own(let moment): if try await self.begins(.own(moment), at: moment) { return }
            case .leased(let moment): if try await self.begins(.leased(moment), at: moment) { return }
            }
        }
    }

    /// Waits until the attempt's time `moment`, in nanoseconds. Refunds the turn if the wait is cancelled or the origin
    /// is paused.
    /// - Returns: Whether the attempt may begin; false while the rate is paused: the attempt then needs another turn.
    private func begins(_ turn: LeasedRate.Turn, at moment: UInt64) async throws -> Bool {
        do {
            try await self.sleep(until: moment)
            return try self.mayBegin()
        } catch {
            self.refund(turn)
            throw error
        }
    }

    private func turn(until end: UInt64) async throws -> LeasedRate.Turn {
        if let leasedRate { return try await leasedRate.turn(until: end) }
        let now = self.now()
        return switch self.state.withLock({ $0.rate.charge(at: now, atMost: end.subtractingClamped(now)) }) {
        case .refused(let wait): .refused(after: wait)
        case .admitted(let wait): .own(now.addingClamped(wait))
        }
    }

    private func sleep(until moment: UInt64) async throws {
        let now = self.now()
        if moment > now { try await self.timing.sleep(.nanoseconds(moment - now)) }
    }

    private func refund(_ turn: LeasedRate.Turn) {
        if let leasedRate { leasedRate.refund(turn) } else { self.state.withLock { $0.rate.refund() } }
    }

    /// Whether an attempt may begin after its wait; false during a rest, after which it needs another turn.
    private func mayBegin() throws(FetchError) -> Bool {
        let now = self.now()
        return try self.state.withLock { state throws(FetchError) in
            if let refusal = state.pauseRefusal(at: now) { throw refusal }
            return !state.rate.isPaused(at: now)
        }
    }

    private func checkOpen(_ state: State) throws(FetchError) {
        let now = self.now()
        if let refusal = state.pauseRefusal(at: now) { throw refusal }
        if let wait = state.breaker.refusal(at: now) { throw .circuitOpen(retryAfter: wait) }
    }

    private func record(
        _ outcome: CircuitBreaker.Outcome, of ticket: CircuitBreaker.Ticket, cause: FetchError? = nil
    ) {
        let now = self.now()
        self.state.withLock { state in
            state.breaker.record(outcome, of: ticket, at: now)
            guard outcome != .ignored else { return }
            state.lastFailure = outcome == .failure ? cause : nil
            if outcome == .success { state.totals.successes += 1 } else { state.totals.failures += 1 }
        }
    }

    static let failureStatuses: Set<Int> = [500, 502, 503, 504]

    // MARK: Reports of fetches

    /// Delays every attempt, retries included, by `duration`.
    func rest(for duration: Duration) {
        let moment = self.now().addingClamped(duration.nanoseconds)
        self.state.withLock { $0.rate.pause(until: moment) }
        self.leasedRate?.pause(until: moment)
    }

    /// The error for requests while `Retry-After` pauses the origin; `nil` if it is not paused.
    var pauseRefusal: FetchError? {
        let now = self.now()
        return self.state.withLock { $0.pauseRefusal(at: now) }
    }

    /// Rejects fetches for `duration`.
    func pause(for duration: Duration) {
        let moment = self.now().addingClamped(duration.nanoseconds)
        self.state.withLock { $0.pausedUntil = max($0.pausedUntil, moment) }
    }

    func countAttempt(isRetry: Bool) {
        self.state.withLock { state in
            state.totals.attempts += 1
            if isRetry { state.totals.retries += 1 }
        }
    }

    /// Adds a transfer's duration, in nanoseconds, to the moving mean: with the weight 1/8, as of round-trip times
    /// (RFC 6298, 2.3).
    func recordTransfer(_ nanoseconds: UInt64) {
        self.state.withLock { state in
            let mean = state.meanTransferTime
            state.meanTransferTime = mean == 0 ? nanoseconds : mean - mean / 8 + nanoseconds / 8
        }
    }

    func countResumed() {
        self.state.withLock { $0.totals.resumed += 1 }
    }

    var snapshot: OriginState {
        let (now, usage) = (self.now(), self.semaphore.usage)
        return self.state.withLock { state in
            OriginState(
                name: self.key.name,
                fetches: usage,
                breaker: state.breaker.state(at: now),
                pause: state.pause(at: now),
                consecutiveFailures: state.breaker.consecutiveFailures,
                lastFailure: state.lastFailure,
                meanTransferTime: state.meanTransferTime > 0 ? .nanoseconds(state.meanTransferTime) : nil,
                totals: state.totals
            )
        }
    }
}

extension FetchURL {
    var origin: Origin.Key { Origin.Key(scheme: self.scheme, host: self.host, port: self.port) }
}
