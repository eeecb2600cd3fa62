/// When a server that could not be used is tried again: after a delay that doubles with each failure, and by one call at a time. A
/// value without a lock or a clock.
struct PostgresBackOff {
    /// Whether a call may use the server.
    enum Admission {
        case admitted
        /// As the one that finds out whether it works again.
        case trial
        case refused(PostgresFailure)
    }

    /// After the first failure, in nanoseconds.
    static let first: UInt64 = 250_000_000
    /// The longest delay, and the time after which a trial without an outcome is repeated, in nanoseconds.
    static let longest: UInt64 = 5_000_000_000

    /// Failures since the last success.
    private(set) var failureCount = 0
    private var isTrying = false
    private var nextTry: UInt64 = 0
    private var reason = ""

    /// Why calls that have waited are refused; nil while the server works.
    var refusal: PostgresFailure? { self.failureCount > 0 ? .suspended(self.reason) : nil }

    /// `closed`, `open` after failures, `half-open` while one call finds out whether the server works again.
    var breaker: String { self.failureCount == 0 ? "closed" : self.isTrying ? "half-open" : "open" }

    /// Nanoseconds until the next trial; nil while the server works.
    func delay(at now: UInt64) -> UInt64? {
        self.failureCount == 0 ? nil : self.nextTry > now ? self.nextTry - now : 0
    }

    /// - Parameter mayTry: Whether it may be the call that finds out, and so wait for a server that hangs.
    mutating func admit(at now: UInt64, mayTry: Bool = true) -> Admission {
        guard let refusal else { return .admitted }
        guard mayTry, now >= self.nextTry else { return .refused(refusal) }
        self.isTrying = true
        self.nextTry = now + Self.longest
        return .trial
    }

    mutating func failed(_ reason: String, at now: UInt64) {
        // Those that began before the first of them failed count once.
        guard self.failureCount == 0 || self.isTrying else { return }
        self.isTrying = false
        self.nextTry = now + min(Self.longest, Self.first << UInt64(min(self.failureCount, 16)))
        self.failureCount += 1
        self.reason = reason
    }

    mutating func succeeded() { self = PostgresBackOff() }
}
