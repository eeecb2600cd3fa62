/// What an answer may say of the original that it was made of, beside its pixels.
public struct OriginalState: Hashable, Sendable {
    /// Of the original's bytes.
    public var digest: Digest
    /// Whole seconds since its origin last said that these are its current bytes (RFC 9111, 4.2.3), at least 0; nil when
    /// the origin was asked for this very answer, and for what never changes under its name.
    public var age: Int64?
    /// When the bytes changed last, as their origin says, or else when they were stored: in seconds since 1970. nil for
    /// what is packaged.
    public var modifiedAt: Int64?
    /// Whether no other bytes can have been the original within the second of ``modifiedAt`` (RFC 9110, 8.8.2.2).
    public var isDateExact: Bool

    /// The state of the original with these bytes.
    public init(digest: Digest, age: Int64? = nil, modifiedAt: Int64? = nil, isDateExact: Bool = false) {
        self.digest = digest
        self.age = age
        self.modifiedAt = modifiedAt
        self.isDateExact = isDateExact
    }
}
