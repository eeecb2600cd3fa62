public import PosterCodec

/// What is known of a poster without asking anybody.
public enum KnownPoster: Hashable, Sendable {
    /// Its source said lately that there is none.
    case missing
    case picture(KnownPicture)
}

/// What is known of a poster's original.
public struct KnownPicture: Hashable, Sendable {
    /// Of the original's file.
    public let digest: Digest
    /// Of the original as shown, in pixels.
    public let width, height: Int
    /// nil when they have not been made yet.
    public let hashes: PictureHashes?
}

extension PosterPipeline {
    /// What memory holds of a poster. Synchronous, for any thread: it reads nothing and starts nothing.
    ///
    /// - Returns: nil when nothing is known.
    public func knownDescription(of id: PosterID) -> KnownPoster? {
        if let facts = self.library.lastKnown(id)?.facts {
            let (width, height) = facts.header.uprightSize
            return .picture(
                KnownPicture(
                    digest: facts.digest, width: width, height: height,
                    hashes: self.describer.knownHashes(of: facts.digest)))
        }
        if case .unknownPoster = self.library.failure(of: id) { return .missing }
        return nil
    }

    /// Has originals that are stored hashed when nothing more urgent is to be done, so that
    /// ``knownDescription(of:)`` has it all another time. Nothing is fetched; what is over the limit of what may wait is left.
    public func describeBehind(_ ids: some Sequence<PosterID>) {
        self.descriptions.add(ids)
    }

    /// How many originals wait for being hashed behind.
    public var describingCount: Int { self.descriptions.pendingCount }
}
