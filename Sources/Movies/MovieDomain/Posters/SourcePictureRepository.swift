/// Tells which pictures a source itself has of what it names, without all the rest.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol SourcePictureRepository: Sendable {
    /// Whose films or apps they are: it is only asked for those.
    var source: MovieSource { get }

    /// Its poster of a film, or its icon of an app.
    func sourcePoster(of id: MovieID) async throws -> SourcePoster

    /// Its poster of a film when the one that it told of is not there any more; nil when it has none.
    func refreshedPoster(of id: MovieID) async throws -> PosterReference?

    /// What another source's poster of it can be found by; nil when there is no such film, or nobody else is to be asked.
    func searchTerms(for id: MovieID) async throws -> PosterSearchTerms?

    /// The pictures beside its poster, in order; nil when it knows no such film or app.
    func gallery(of id: MovieID) async throws -> [GalleryPicture]?
}

extension SourcePictureRepository {
    /// As told before: for a source that knows nothing newer.
    public func refreshedPoster(of id: MovieID) async throws -> PosterReference? {
        if case .known(let poster) = try await self.sourcePoster(of: id) { return poster }
        return nil
    }
}

/// What a source has to show of something.
public enum SourcePoster: Hashable, Sendable {
    case known(PosterReference)
    /// It knows what it is, but has no poster of it.
    case none
    /// It knows nothing of that id.
    case unknown
}
