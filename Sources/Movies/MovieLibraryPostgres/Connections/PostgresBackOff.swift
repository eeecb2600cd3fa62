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
    var refusal: PostgresFailure? { self.failureCount > 0 ? .unreachable(self.reason) : nil }

    mutating func admit(at now: UInt64) -> Admission {
        guard let refusal else { return .admitted }
        guard now >= self.nextTry else { return .refused(refusal) }
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
