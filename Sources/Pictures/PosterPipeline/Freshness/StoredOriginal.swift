import HTTPSemantics

/// An original that was kept, and what is known of it beside its bytes.
public struct StoredOriginal: Sendable {
    package let original: Original
    package let validators: Validators
    /// Until when it may be used without asking.
    package let freshness: Freshness
    /// Whether it will be there for the next request; a full disk keeps nothing.
    package let isStored: Bool
    /// When these bytes were stored, in seconds since 1970; nil where it was not recorded.
    package let storedAt: Int64?

    package init(
        original: Original, validators: Validators, freshness: Freshness, isStored: Bool = true,
        storedAt: Int64? = nil
    ) {
        self.storedAt = storedAt
        self.original = original
        self.validators = validators
        self.freshness = freshness
        self.isStored = isStored
    }

    /// How long after the origin's date its bytes must have been fetched, in seconds, to be the last of that second by
    /// every clock; RFC 7232, 2.2.2, had this figure.
    private static let settlingSeconds: Int64 = 60

    /// When the bytes changed last, by their origin's word, or else when they were stored; nil for what never changes
    /// under its name. Never later than when they were stored (RFC 9110, 8.8.2.1).
    var modifiedAt: Int64? {
        guard !self.freshness.isUnlimited else { return nil }
        guard let said = self.validators.lastModified.flatMap(HTTPDate.seconds) else { return self.storedAt }
        return min(said, self.storedAt ?? said)
    }

    /// Whether no other bytes can have been the original within the second of ``modifiedAt`` (RFC 9110, 8.8.2.2). Never
    /// where that is when they were stored: they may have been purged and stored anew within it.
    var isDateExact: Bool {
        guard let storedAt, let modifiedAt, self.validators.lastModified != nil else { return false }
        return storedAt - modifiedAt >= Self.settlingSeconds
    }

    /// What a response given at `now` may say of it.
    /// - Parameter isConfirmed: Whether the origin was asked for this very response.
    func state(at now: Int64, isConfirmed: Bool) -> OriginalState {
        OriginalState(
            digest: self.original.digest, age: isConfirmed ? nil : self.freshness.age(at: now),
            modifiedAt: self.modifiedAt, isDateExact: self.isDateExact)
    }
}

/// What an origin can be asked with whether it still has the same bytes (RFC 9110, 8.8).
public struct Validators: Hashable, Sendable {
    /// With its quotation marks, and `W/` for a weak one.
    package var etag: String?
    /// A date, as sent.
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    package var isEmpty: Bool { self.etag == nil && self.lastModified == nil }
}
