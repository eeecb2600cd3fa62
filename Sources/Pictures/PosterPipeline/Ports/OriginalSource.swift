public import Flights

/// Fetches the bytes of originals.
public protocol OriginalSource: Sendable {
    /// Streams an original into a draft, unless its origin still has the one that `validators` name.
    ///
    /// The draft is not touched any more after this returned or threw.
    ///
    /// - Parameters:
    ///   - validators: Of the original that is stored; empty to have the bytes in any case.
    ///   - urgency: How soon they are wanted; it may rise meanwhile.
    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse
}

/// What an origin said about the bytes it sent, or, in a 304, about those that it would have sent.
public struct OriginDescription: Hashable, Sendable {
    /// What it can be asked with later.
    package var validators: Validators
    /// What it said about how long they may be used.
    package var caching: CachingFields
    /// As declared by the origin, in bytes.
    package var declaredLength: Int?

    package init(
        validators: Validators = Validators(), caching: CachingFields = CachingFields(), declaredLength: Int? = nil
    ) {
        self.validators = validators
        self.caching = caching
        self.declaredLength = declaredLength
    }
}

/// How an origin answered.
public enum OriginResponse: Hashable, Sendable {
    /// The draft has all of the bytes.
    case sent(OriginDescription)
    /// The bytes with the validators that it was asked with are still its current ones; the draft is empty.
    case notModified(OriginDescription)
}

/// Finds out where a poster's original is.
public protocol PosterLocator: Sendable {
    func locate(_ id: PosterID) async throws -> OriginalLocation

    /// Where another picture of the same poster is, because there is none at `location` that could be used.
    /// - Returns: nil when there is no other.
    func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation?

    /// Where a poster's original is, as far as that is known without a network request.
    func knownLocation(of id: PosterID) async throws -> OriginalLocation?
}

extension PosterLocator {
    /// There is one picture only.
    public func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation? { nil }

    /// Nothing is known.
    public func knownLocation(of id: PosterID) async throws -> OriginalLocation? { nil }
}
