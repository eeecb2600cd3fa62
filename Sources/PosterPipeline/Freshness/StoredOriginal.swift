/// An original that was kept, and what is known of it beside its bytes.
public struct StoredOriginal: Sendable {
    /// Verified.
    public let original: Original
    /// What its origin can be asked with.
    public let validators: Validators
    /// Until when it may be used without asking.
    public let freshness: Freshness
    /// Whether it will be there for the next request; a full disk keeps nothing.
    public let isStored: Bool

    /// An original with what its origin said of it.
    public init(original: Original, validators: Validators, freshness: Freshness, isStored: Bool = true) {
        self.original = original
        self.validators = validators
        self.freshness = freshness
        self.isStored = isStored
    }
}
