/// Finds out where a poster's original is.
public protocol PosterLocator: Sendable {
    /// - Throws: ``PosterError``, or `CancellationError`.
    func locate(_ id: PosterID) async throws -> OriginalLocation

    /// Where another picture of the same poster is, because there is none at `location` that could be used.
    ///
    /// - Returns: nil when there is no other.
    /// - Throws: `CancellationError`.
    func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation?

    /// Where a poster's original is, as far as that is known without asking anybody outside of this machine.
    ///
    /// - Throws: `CancellationError`.
    func knownLocation(of id: PosterID) async throws -> OriginalLocation?
}

extension PosterLocator {
    /// There is one picture only.
    public func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation? { nil }

    /// Nothing is known.
    public func knownLocation(of id: PosterID) async throws -> OriginalLocation? { nil }
}
