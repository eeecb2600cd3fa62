/// Finds out where a poster's original is.
public protocol PosterLocator: Sendable {
    /// - Throws: ``PosterError``, or `CancellationError`.
    func locate(_ id: PosterID) async throws -> OriginalLocation
}
