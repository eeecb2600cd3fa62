import HTTPSemantics

/// A stored original with its validators and freshness.
public struct StoredOriginal: Sendable {
    package let original: Original
    package let validators: Validators
    package let freshness: Freshness
    /// Whether the original is stored for the next request; it is not if the disk is full.
    package let isStored: Bool
    /// When these bytes were stored, in seconds since 1970; `nil` if it was not recorded.
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

    /// Minimum seconds between the origin's date and the fetch for the bytes to be the last of that second, whatever
    /// the difference of the clocks; the figure of RFC 7232, 2.2.2.
    private static let settlingSeconds: Int64 = 60

    /// When the bytes last changed according to their origin, or else when they were stored; `nil` if they never
    /// change. Never later than when they were stored (RFC 9110, 8.8.2.1).
    var modifiedAt: Int64? {
        guard !self.freshness.isUnlimited else { return nil }
        guard let said = self.validators.lastModified.flatMap(HTTPDate.seconds) else { return self.storedAt }
        return min(said, self.storedAt ?? said)
    }

    /// Whether no other bytes can have been the original within the second of ``modifiedAt`` (RFC 9110, 8.8.2.2). False
    /// if that is the time of storing: the original may have been purged and stored again within the second.
    var isDateExact: Bool {
        guard let storedAt, let modifiedAt, self.validators.lastModified != nil else { return false }
        return storedAt - modifiedAt >= Self.settlingSeconds
    }

    /// The state of the original in a response at `now`.
    /// - Parameter isConfirmed: Whether the origin was asked for this response.
    func state(at now: Int64, isConfirmed: Bool) -> OriginalState {
        OriginalState(
            digest: self.original.digest, age: isConfirmed ? nil : self.freshness.age(at: now),
            modifiedAt: self.modifiedAt, isDateExact: self.isDateExact)
    }
}

/// The validators of a conditional request to the origin (RFC 9110, 8.8).
public struct Validators: Hashable, Sendable {
    /// With its quotation marks, and `W/` if it is weak.
    package var etag: String?
    /// The date as sent.
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    package var isEmpty: Bool { self.etag == nil && self.lastModified == nil }
}
