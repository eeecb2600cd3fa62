import MovieDomain

/// A request that failed, or was too late for its response.
struct FailedRequest: Error {
    let failure: SourceFailure
    /// The time of the next revalidation of a stale response, or the next request for a supplement.
    let retryAt: Instant
    /// When the upstream first reported a stored resource as missing; `nil` if it did not.
    var missingSince: Instant?

    var isKeyRefused: Bool {
        if case .keyRefused = self.failure { true } else { false }
    }
}
