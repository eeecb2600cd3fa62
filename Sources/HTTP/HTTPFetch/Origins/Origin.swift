import Flights
import Synchronization

/// One origin: who may ask it now, and how it has behaved.
///
/// Under the lock: the breaker, the bucket, the pause, the counters; every operation is O(1).
final class Origin: Sendable {
    /// What origins are told apart by.
    struct Key: Hashable, Sendable {
        let scheme: String
        let host: String
        let port: UInt16

        var name: String { "\(self.scheme)://\(self.host):\(self.port)" }
    }

    /// How long somebody is told to wait at least who was refused for lack of room.
    static let minRetryAfter: Duration = .seconds(1)

    private struct State {
        var breaker: CircuitBreaker
        var bucket: TokenBucket
        var pausedUntil: UInt64 = 0
        /// Fetches here, whether they wait or not.
        var presentCount = 0
        var lastFailure: FetchError?
        var totals = OriginState.Totals()
    }

    let key: Key
    private let timing: FetchTiming
    private let minExposure: Duration
    private let slots: Slots
    private let state: Mutex<State>

    /// - Parameter whenAdmitted: is told how many nanoseconds each fetch waited for its slot.
    init(
        _ key: Key, configuration: FetchConfiguration, timing: FetchTiming,
        whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) {
        let limits = configuration.limits(forHost: key.host, port: key.port)
        self.key = key
        self.timing = timing
        self.minExposure = configuration.minExposure
        self.slots = Slots(
            Slots.Limits(count: limits.maxFetches, queue: limits.maxWaiting), now: timing.now,
            whenAdmitted: whenAdmitted)
        self.state = Mutex(
            State(breaker: CircuitBreaker(configuration.breaker), bucket: TokenBucket(limits)))
    }

    /// Runs a fetch in which ``withTurn(urgency:_:)`` is called, unless the origin is to be left alone, and says whether
    /// that will have a slot at once.
    ///
    /// - Throws: ``FetchError/originPaused(retryAfter:)`` and ``FetchError/circuitOpen(retryAfter:)`` without having run it;
    ///   what `fetch` throws.
    func withPresence(_ fetch: (_ hasSlot: Bool) async throws -> FetchResponse) async throws -> FetchResponse {
        let hasSlot = try self.state.withLock { state throws(FetchError) in
            try self.checkOpen(state)
            state.presentCount += 1
            // Who leaves gives the slot back first: those present never hold and want more slots than they are.
            return state.presentCount <= self.slots.limits.count
        }
        defer { self.state.withLock { $0.presentCount -= 1 } }
        return try await fetch(hasSlot)
    }

    /// Runs a fetch when it is its turn, unless the origin is to be left alone.
    ///
    /// - Throws: ``FetchError/overloaded(retryAfter:)``, ``FetchError/originPaused(retryAfter:)`` and
    ///   ``FetchError/circuitOpen(retryAfter:)`` without having run it; what `fetch` throws; `CancellationError`.
    func withTurn(
        urgency: Urgency, _ fetch: (OriginExposure) async throws -> FetchResponse
    ) async throws -> FetchResponse {
        do {
            return try await self.slots.withSlot(urgency: urgency) {
                // Much may have happened while it waited.
                let ticket = try self.state.withLock { state throws(FetchError) in
                    try self.checkOpen(state)
                    return state.breaker.admit()
                }
                let trace = OriginExposure(origin: self, minExposure: self.minExposure, now: self.timing.now)
                do {
                    let response = try await fetch(trace)
                    self.conclude(ticket, Self.failureStatuses.contains(response.status) ? .failure : .success)
                    return response
                } catch {
                    let cause = (error as? HopFailure)?.error ?? error
                    self.conclude(ticket, trace.outcome(of: error), cause: cause as? FetchError)
                    throw cause
                }
            }
        } catch let error as Slots.Full {
            throw FetchError.overloaded(retryAfter: max(Self.minRetryAfter, error.estimatedWait))
        }
    }

    /// Waits until an attempt may begin.
    ///
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` at once when that is not within `limit`;
    ///   ``FetchError/originPaused(retryAfter:)``; `CancellationError`.
    func awaitTurn(atMost limit: Duration) async throws {
        let end = self.timing.now().addedClamped(limit.nanoseconds)
        while true {
            let now = self.timing.now()
            let turn = self.state.withLock { $0.bucket.take(at: now, atMost: end.subtractedClamped(now)) }
            switch turn {
            case .tooLate(let wait):
                throw FetchError.overloaded(retryAfter: max(Self.minRetryAfter, .nanoseconds(Int64(clamping: wait))))
            case .after(0): break
            case .after(let wait):
                do {
                    try await self.timing.sleep(.nanoseconds(Int64(clamping: wait)))
                } catch {
                    self.state.withLock { $0.bucket.giveBack() }
                    throw error
                }
            }
            if try self.mayBegin() { return }
        }
    }

    /// Whether a turn that has come is still one. One within a rest is lost: who took it takes another.
    ///
    /// - Throws: ``FetchError/originPaused(retryAfter:)``.
    private func mayBegin() throws(FetchError) -> Bool {
        let now = self.timing.now()
        return try self.state.withLock { state throws(FetchError) in
            if let refusal = Self.pauseRefusal(state, at: now) {
                state.bucket.giveBack()
                throw refusal
            }
            return !state.bucket.isResting(at: now)
        }
    }

    private static func pauseRefusal(_ state: State, at now: UInt64) -> FetchError? {
        guard state.pausedUntil > now else { return nil }
        return .originPaused(retryAfter: .nanoseconds(Int64(clamping: state.pausedUntil - now)))
    }

    private func checkOpen(_ state: State) throws(FetchError) {
        let now = self.timing.now()
        if let refusal = Self.pauseRefusal(state, at: now) { throw refusal }
        if let wait = state.breaker.refusal(at: now) { throw .circuitOpen(retryAfter: wait) }
    }

    private func conclude(
        _ ticket: CircuitBreaker.Ticket, _ outcome: CircuitBreaker.Outcome, cause: FetchError? = nil
    ) {
        let now = self.timing.now()
        self.state.withLock { state in
            state.breaker.conclude(ticket, outcome, at: now)
            guard outcome != .none else { return }
            state.lastFailure = outcome == .failure ? cause : nil
            if outcome == .success { state.totals.successes += 1 } else { state.totals.failures += 1 }
        }
    }

    /// The statuses that are the origin's failures.
    static let failureStatuses: Set<Int> = [500, 502, 503, 504]
}

// MARK: What fetches tell about it

extension Origin {
    /// Has everybody wait a little before their next attempt.
    func rest(for duration: Duration) {
        let moment = self.timing.now().addedClamped(duration.nanoseconds)
        self.state.withLock { $0.bucket.rest(until: moment) }
    }

    /// Why nothing may be sent to it now, because it asked for that; nil when it has not.
    var pauseRefusal: FetchError? {
        let now = self.timing.now()
        return self.state.withLock { Self.pauseRefusal($0, at: now) }
    }

    /// Refuses fetches for a while.
    func pause(for duration: Duration) {
        let moment = self.timing.now().addedClamped(duration.nanoseconds)
        self.state.withLock { $0.pausedUntil = max($0.pausedUntil, moment) }
    }

    func countAttempt(isRetry: Bool) {
        self.state.withLock { state in
            state.totals.attempts += 1
            if isRetry { state.totals.retries += 1 }
        }
    }

    func countResumed() {
        self.state.withLock { $0.totals.resumed += 1 }
    }

    /// How things stand.
    var snapshot: OriginState {
        let (now, usage) = (self.timing.now(), self.slots.usage)
        return self.state.withLock { state in
            OriginState(
                name: self.key.name,
                fetches: usage,
                breaker: state.breaker.state(at: now),
                pause: state.pausedUntil > now ? .nanoseconds(Int64(clamping: state.pausedUntil - now)) : nil,
                consecutiveFailures: state.breaker.consecutiveFailures,
                lastFailure: state.lastFailure,
                totals: state.totals
            )
        }
    }
}

extension FetchURL {
    var origin: Origin.Key { Origin.Key(scheme: self.scheme, host: self.host, port: self.port) }
}
