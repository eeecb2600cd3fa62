/// What became of a hop.
struct HopResult: Sendable {
    enum Ending: Sendable {
        case answered(FetchResponse)
        case redirected(to: String)
        case failed(HopFailure)
    }

    var ending: Ending
    /// Whether the request, or a part of it, may have reached the host.
    var mayBeSent = false
    /// Whether its host is in a private network that the configuration allows; see ``AddressGuard/knowsAsPrivate(_:)``.
    var isPrivate = false
    /// Whether the sink got the rest of what it had, or a part of it.
    var hasResumed = false
    /// Where the sink's body has broken off; nil when it has none, or what it has cannot be gone on with.
    var resumePoint: ResumePoint?

    /// What it tells about the origin.
    var originOutcome: CircuitBreaker.Outcome {
        switch self.ending {
        case .answered(let response): Origin.failureStatuses.contains(response.status) ? .failure : .success
        case .redirected: .success
        case .failed(let failure): failure.outcome
        }
    }
}
