/// Offers posters for films that are not its own.
public protocol PosterFinder: Sendable {
    var source: MovieSource { get }

    /// The likeliest first, at most 20.
    ///
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate]
}

/// What is known of a film that a poster is looked for.
public struct PosterSearchTerms: Hashable, Sendable {
    /// Of the film.
    public let id: MovieID
    /// In the languages of its source, the likeliest to be found first; never empty.
    public let titles: [String]
    /// nil when unknown.
    public let year: Int?
    /// Their names.
    public let directors: [String]

    /// - Returns: nil without a title.
    public init?(id: MovieID, titles: [String], year: Int?, directors: [String]) {
        let titles = titles.filter { !$0.isEmpty }
        guard !titles.isEmpty else { return nil }
        self.id = id
        self.titles = titles
        self.year = year
        self.directors = directors
    }
}
