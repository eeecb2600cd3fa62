public import Flights

/// Brings the bytes of originals from where they are.
public protocol OriginalSource: Sendable {
    /// Streams an original into a draft, unless its origin still has the one that `validators` name.
    ///
    /// The draft is not touched any more after this returned or threw.
    ///
    /// - Parameters:
    ///   - validators: Of the original that is stored; empty to have the bytes in any case.
    ///   - urgency: How soon they are wanted; it may rise meanwhile.
    /// - Throws: ``PosterError``, or `CancellationError`.
    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginAnswer
}
