package import HTTPSemantics
package import MovieDomain
package import PosterAPI
import PosterCodec
package import PosterPipeline

/// Poster objects from the pipeline's known descriptions, else from what the sources state.
package struct PipelinePosterLookup: PosterLookup {
    private let pipeline: PosterPipeline
    private let plain: SourcePosterLookup
    private let isPosterless: @Sendable (MovieID) -> Bool

    /// - Parameter isPosterless: Whether it is known that no source has a poster of a film.
    package init(
        pipeline: PosterPipeline, policies: ReloadablePicturePolicy, links: PosterURLBuilder,
        isPosterless: @escaping @Sendable (MovieID) -> Bool
    ) {
        self.pipeline = pipeline
        self.plain = SourcePosterLookup(policies: policies, links: links)
        self.isPosterless = isPosterless
    }

    package func poster(of id: PosterID, reference: PosterReference?) throws(Problem) -> PosterObject? {
        switch self.pipeline.knownDescription(of: id) {
        case .missing: return nil
        case .picture(let picture):
            if picture.hashes == nil { self.pipeline.describeInBackground([id]) }
            var poster = try self.plain.poster(
                of: id, size: PictureSize(width: picture.width, height: picture.height),
                version: PosterURLBuilder.version(of: picture.digest))
            poster.color = picture.hashes?.dominantColour
            poster.thumbhash = picture.hashes?.thumbHash
            return poster
        case nil:
            if reference == nil, let film = MovieID(id.text), self.isPosterless(film) { return nil }
            // It may be on disk since an earlier run.
            self.pipeline.describeInBackground([id])
            return try self.plain.poster(of: id, reference: reference)
        }
    }
}

extension PosterID {
    /// As ids of films are written.
    fileprivate var text: String {
        self.source == Self.embeddedSource ? self.key : self.description
    }
}
