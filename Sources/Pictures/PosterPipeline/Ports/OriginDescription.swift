/// What an origin said about the bytes it sent, or, in a 304, about those that it would have sent.
public struct OriginDescription: Hashable, Sendable {
    /// What it can be asked with later.
    public var validators: Validators
    /// What it said about how long they may be used.
    public var caching: CachingFields
    /// As declared by the origin, in bytes.
    public var declaredLength: Int?

    /// An origin that says nothing.
    public init(
        validators: Validators = Validators(), caching: CachingFields = CachingFields(), declaredLength: Int? = nil
    ) {
        self.validators = validators
        self.caching = caching
        self.declaredLength = declaredLength
    }
}

/// How an origin answered.
public enum OriginAnswer: Hashable, Sendable {
    /// The draft has all of the bytes.
    case sent(OriginDescription)
    /// The bytes with the validators that it was asked with are still its current ones; the draft is empty.
    case notModified(OriginDescription)
}
