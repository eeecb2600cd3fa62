public import PosterCodec

extension PosterPipeline {
    /// The format, size, digest and hashes of a poster's original, which is fetched when it is not stored.
    ///
    /// - Throws: ``PosterError``, or `CancellationError` when the caller was cancelled.
    public func description(of id: PosterID) async throws -> PosterDescription {
        try await self.describer.description(of: id)
    }

    /// A picture of at most 32 pixels a side and about a kilobyte, made of a poster's hash.
    ///
    /// - Parameter format: Not JPEG, whose tables alone take most of that.
    /// - Throws: As ``description(of:)``.
    public func placeholder(of description: PosterDescription, format: OutputFormat) async throws -> Poster {
        try await self.placeholders.placeholder(of: description, format: format)
    }

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

    /// Queues stored originals for background hashing, so that ``knownDescription(of:)`` has their hashes later.
    /// Nothing is fetched; beyond the queue's limit ids are dropped.
    public func describeInBackground(_ ids: some Sequence<PosterID>) {
        self.hasher.add(ids)
    }

    /// How many originals wait for background hashing.
    public var pendingDescriptionCount: Int { self.hasher.pendingCount }
}
