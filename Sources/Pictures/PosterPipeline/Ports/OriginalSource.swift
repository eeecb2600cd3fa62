public import Flights

/// Fetches originals from their origins.
public protocol OriginalSource: Sendable {
    /// Streams an original into a draft, unless its origin still has the bytes that `validators` name.
    ///
    /// Does not access the draft after returning or throwing.
    ///
    /// - Parameters:
    ///   - validators: Validators of the stored original; empty for an unconditional request.
    ///   - urgency: May rise during the call.
    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse
}

/// Metadata of an origin's response, for the bytes sent or, in a 304, for those that it would have sent.
public struct OriginDescription: Hashable, Sendable {
    package var validators: Validators
    package var caching: CachingFields
    /// The length declared by the origin, in bytes.
    package var declaredLength: Int?

    package init(
        validators: Validators = Validators(), caching: CachingFields = CachingFields(), declaredLength: Int? = nil
    ) {
        self.validators = validators
        self.caching = caching
        self.declaredLength = declaredLength
    }
}

/// The outcome of a request to an origin.
public enum OriginResponse: Hashable, Sendable {
    /// The draft contains all bytes.
    case sent(OriginDescription)
    /// The validators of the request are current; the draft is empty.
    case notModified(OriginDescription)
}
