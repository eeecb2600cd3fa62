/// Where users approve of wishes to act for them, when that is a page of ours.
public protocol ApprovalHandler: Sendable {
    /// What a wish has become so far; nil when there is none, or it is too old.
    ///
    /// - Throws: ``StorageFailure``, `CancellationError`.
    func approval(of requestToken: String) async throws -> Approval?

    /// Notes what the user said; of no effect once they have said something.
    ///
    /// - Returns: What holds now; nil when there is no such wish, or it is too old.
    /// - Throws: ``StorageFailure``, `CancellationError`.
    func decide(_ requestToken: String, approves: Bool) async throws -> Approval?
}

/// A wish to act for somebody, as its page shows it.
public struct Approval: Hashable, Sendable {
    /// What was said.
    public enum State: Hashable, Sendable {
        case open
        case approved
        case denied
    }

    /// What was said.
    public let state: State
    /// Where the page leads then; nil for nowhere.
    public let returnTo: String?
    /// When the wish is void.
    public let expiresAt: Instant

    /// A wish.
    public init(state: State, returnTo: String?, expiresAt: Instant) {
        self.state = state
        self.returnTo = returnTo
        self.expiresAt = expiresAt
    }
}
