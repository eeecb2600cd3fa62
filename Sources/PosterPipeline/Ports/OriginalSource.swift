/// Brings the bytes of originals from where they are.
public protocol OriginalSource: Sendable {
    /// Streams an original into a draft.
    ///
    /// The draft is not touched any more after this returned or threw.
    ///
    /// - Returns: What the origin said about it.
    /// - Throws: ``PosterError``, or `CancellationError`.
    func fetch(_ location: OriginalLocation, for id: PosterID, into draft: any OriginalDraft) async throws
        -> OriginDescription
}
