/// Exponential back-off for a failing server. A single call makes each trial. A value without a lock or clock.
struct PostgresBackOff {
    enum Admission {
        case admitted
        /// Admitted as the trial call.
        case trial
        case refused(PostgresFailure)
    }

    /// The delay after the first failure, in nanoseconds.
    static let first: UInt64 = 250_000_000
    /// The maximum delay, and the time after which a trial without an outcome is repeated, in nanoseconds.
    static let longest: UInt64 = 5_000_000_000

    private(set) var failureCount = 0
    private var isTrying = false
    private var nextTry: UInt64 = 0
    private var reason = ""

    /// The error for queued calls; `nil` while the server works.
    var refusal: PostgresFailure? { self.failureCount > 0 ? .suspended(self.reason) : nil }

    /// `closed`, `open` after failures, or `half-open` during a trial.
    var breaker: String { self.failureCount == 0 ? "closed" : self.isTrying ? "half-open" : "open" }

    /// Nanoseconds until the next trial; `nil` while the server works.
    func delay(at now: UInt64) -> UInt64? {
        self.failureCount == 0 ? nil : self.nextTry > now ? self.nextTry - now : 0
    }

    /// - Parameter mayTry: Whether the call may be the trial, which may have to wait for a hanging server.
    mutating func admit(at now: UInt64, mayTry: Bool = true) -> Admission {
        guard let refusal else { return .admitted }
        guard mayTry, now >= self.nextTry else { return .refused(refusal) }
        self.isTrying = true
        self.nextTry = now + Self.longest
        return .trial
    }

    mutating func failed(_ reason: String, at now: UInt64) {
        // Concurrent calls that began before the first failure count once.
        guard self.failureCount == 0 || self.isTrying else { return }
        self.isTrying = false
        self.nextTry = now + min(Self.longest, Self.first << UInt64(min(self.failureCount, 16)))
        self.failureCount += 1
        self.reason = reason
    }

    mutating func succeeded() { self = PostgresBackOff() }
}
