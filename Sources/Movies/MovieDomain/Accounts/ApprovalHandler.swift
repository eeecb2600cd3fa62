/// Stores users' decisions on authorization requests, when the approval page is served by this service.
package protocol ApprovalHandler: Sendable {
    /// The state of a request; nil when it does not exist or has expired.
    func approval(of requestToken: String) async throws -> Approval?

    /// Stores the user's decision, unless there is one already.
    /// - Returns: The state that applies now; nil when the request does not exist or has expired.
    func decide(_ requestToken: String, approves: Bool) async throws -> Approval?
}

/// An authorization request as the approval page shows it.
package struct Approval: Hashable, Sendable {
    /// The user's decision.
    package enum State: Hashable, Sendable {
        case open
        case approved
        case denied
    }

    package let state: State
    /// Where the page redirects to; nil for nowhere.
    package let returnTo: String?
    /// When the request expires.
    package let expiresAt: Instant

    /// An authorization request as the approval page shows it.
    package init(state: State, returnTo: String?, expiresAt: Instant) {
        self.state = state
        self.returnTo = returnTo
        self.expiresAt = expiresAt
    }
}
