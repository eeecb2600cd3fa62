/// Why a hop gave no answer, and what follows from that.
///
/// The same ``FetchError`` may be the origin's failure or ours: a timeout while a name was looked up is the resolver's.
struct HopFailure: Error, Hashable {
    /// What the caller is told.
    let error: FetchError
    /// Whether trying again soon may help.
    let isPassing: Bool
    /// What it tells about the origin.
    let verdict: CircuitBreaker.Verdict

    /// What the error usually means.
    init(_ error: FetchError) {
        self.init(error, isPassing: error.isPassing, verdict: error.verdict)
    }

    private init(_ error: FetchError, isPassing: Bool, verdict: CircuitBreaker.Verdict) {
        self.error = error
        self.isPassing = isPassing
        self.verdict = verdict
    }

    /// One that the origin has no part in, whatever the error means elsewhere.
    static func notTheOrigins(_ error: FetchError, isPassing: Bool = false) -> HopFailure {
        HopFailure(error, isPassing: isPassing, verdict: .none)
    }
}
