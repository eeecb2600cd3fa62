/// Tells which pictures a source itself has of what it names, without all the rest.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol OwnPosterRepository: Sendable {
    /// Whose films or apps they are: it is only asked for those.
    var source: MovieSource { get }

    /// Its poster of a film, or its icon of an app.
    func ownPoster(of id: MovieID) async throws -> OwnPoster

    /// What another source's poster of it can be found by; nil when there is no such film, or nobody else is to be asked.
    func film(of id: MovieID) async throws -> PosterlessFilm?

    /// The pictures beside its poster, in order; nil when it knows no such film or app.
    func gallery(of id: MovieID) async throws -> [GalleryPicture]?
}

/// What a source has to show of something.
public enum OwnPoster: Hashable, Sendable {
    case known(PosterReference)
    /// It knows what it is, but has no poster of it.
    case none
    /// It knows nothing of that id.
    case unknown
}
