package import PosterPipeline

/// Maps ids of IMDb titles to ids of the films' posters, so that a poster has one original and one set of variants.
package protocol PosterIDResolver: Sendable {
    /// The poster's own id, if it is in memory; for ids with ``PosterID/isOfIMDb`` only.
    func knownID(for id: PosterID) -> PosterID?

    /// The poster's own id, after a request to a source if necessary.
    ///
    /// - Throws: ``PosterPipeline/PosterError``, `CancellationError`.
    func ownID(for id: PosterID) async throws -> PosterID
}

extension PosterID {
    /// Whether the id names a film by its IMDb title, as in `imdb:tt0111161`.
    package var isOfIMDb: Bool { self.source == Self.imdbSource }
}
