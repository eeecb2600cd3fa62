/// Locates the originals of posters.
public protocol PosterLocator: Sendable {
    func locate(_ id: PosterID) async throws -> OriginalLocation

    /// The location of another picture of the poster, after the one at `location` proved unusable.
    /// - Returns: `nil` if there is no other.
    func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation?

    /// The location of a poster's original, if it is known without a network request.
    func knownLocation(of id: PosterID) async throws -> OriginalLocation?
}

extension PosterLocator {
    /// Returns `nil`: each poster has one picture only.
    public func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation? { nil }

    /// Returns `nil`: no location is known.
    public func knownLocation(of id: PosterID) async throws -> OriginalLocation? { nil }
}
