import MovieDomain

/// The last request for something, which failed or was too late for its response.
struct FailedRequest: Error {
    let failure: SourceFailure
    /// When a stale response is revalidated again, and a supplement requested again.
    let retryAt: Instant
    /// When the upstream first said that it does not have what is stored; nil when it did not say so.
    var missingSince: Instant?

    var isKeyRefused: Bool {
        if case .keyRefused = self.failure { true } else { false }
    }
}
