/// Why a hop gave no answer, and what follows from that.
///
/// The same ``FetchError`` may be the origin's failure or ours: a timeout while a name was looked up is the resolver's.
struct HopFailure: Error, Hashable {
    /// What the caller is told.
    let error: FetchError
    /// Whether trying again soon may help.
    let isTransient: Bool
    /// What it tells about the origin.
    let outcome: CircuitBreaker.Outcome

    /// What the error usually means.
    init(_ error: FetchError) {
        self.init(error, isTransient: error.isTransient, outcome: error.outcome)
    }

    private init(_ error: FetchError, isTransient: Bool, outcome: CircuitBreaker.Outcome) {
        self.error = error
        self.isTransient = isTransient
        self.outcome = outcome
    }

    /// One that the origin has no part in, whatever the error means elsewhere.
    static func local(_ error: FetchError, isTransient: Bool = false) -> HopFailure {
        HopFailure(error, isTransient: isTransient, outcome: .none)
    }
}
