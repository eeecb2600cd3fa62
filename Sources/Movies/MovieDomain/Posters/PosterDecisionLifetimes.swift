/// For how long a decision about a poster holds, in seconds.
public struct PosterDecisionLifetimes: Hashable, Sendable {
    /// With a poster: 30 days by default.
    public var found: Int64 = 30 * 86_400
    /// With a poster of a source that was asked because another one could not be, and without one: a day by default.
    public var unsure: Int64 = 86_400
    /// Without a poster, when a source could not be asked: ten minutes by default.
    public var undecided: Int64 = 600

    /// The defaults.
    public init() {}

    func lifetime(of decision: PosterDecision) -> Int64 {
        switch (decision.poster != nil, decision.isUncertain) {
        case (true, false): self.found
        case (true, true), (false, false): self.unsure
        case (false, true): self.undecided
        }
    }
}
