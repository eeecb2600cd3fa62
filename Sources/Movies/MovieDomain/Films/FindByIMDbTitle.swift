/// A source that finds its films by their IMDb titles.
package protocol IMDbTitleFinder: Sendable {
    /// - Parameter title: An IMDb title such as `tt0111161`.
    /// - Returns: `nil` if the source has no such film.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func film(ofIMDbTitle title: String) async throws -> MovieID?
}

/// Finds films by their IMDb titles.
package struct FindByIMDbTitle: Sendable {
    private let finder: (any IMDbTitleFinder)?
    private let hasOMDb: Bool
    /// The option that would enable a finder.
    private let option: String

    /// - Parameters:
    ///   - finder: The preferred source; `nil` without one.
    ///   - hasOMDb: Whether OMDb, with IMDb's ids, is configured.
    ///   - option: The option that would enable the finder.
    package init(finder: (any IMDbTitleFinder)?, hasOMDb: Bool, option: String) {
        self.finder = finder
        self.hasOMDb = hasOMDb
        self.option = option
    }

    /// The film's id at the finder, else at OMDb.
    ///
    /// - Parameter title: An IMDb title such as `tt0111161`.
    /// - Returns: `nil` if no source has such a film, and for texts that are not titles.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ title: String) async throws -> MovieID? {
        guard let id = MovieID(source: .omdb, key: title) else { return nil }
        guard self.finder != nil || self.hasOMDb else { throw SourceFailure.off(.tmdb, option: self.option) }
        if let film = try await self.finder?.film(ofIMDbTitle: title) { return film }
        return self.hasOMDb ? id : nil
    }
}
