/// One request of a fetch: its first, or what a redirect or a retry makes necessary.
struct Hop: Sendable {
    /// How the host is reached.
    enum Route: Hashable, Sendable {
        /// It has been looked up.
        case addresses([IPAddress])
        /// It is an address.
        case literal
        /// Through the proxy with this URL, which looks it up.
        case proxy(String)
    }

    let url: FetchURL
    let headerLines: [String]
    let route: Route
    /// What is left of the time for connecting.
    let connectTimeout: Duration
    /// Where the sink's body broke off; nil when it has none.
    let resumePoint: ResumePoint?

    /// Whether only the rest of the body is asked for.
    var isResuming: Bool { self.resumePoint?.url == self.url }
}

/// What became of a hop.
struct HopOutcome: Sendable {
    enum Ending: Sendable {
        case answered(FetchResponse)
        case redirected(to: String)
        case failed(FetchError)
    }

    let ending: Ending
    /// Whether the sink got the rest of what it had, or a part of it.
    let hasResumed: Bool
    /// Where the sink's body has broken off; nil when it has none, or what it has cannot be gone on with.
    let resumePoint: ResumePoint?
}
