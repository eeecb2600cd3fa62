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

/// A picture that may be a film's poster, as somebody other than the film's own source offers it.
public struct PosterCandidate: Hashable, Sendable {
    /// Who offers it.
    public let source: MovieSource
    /// Where it is.
    public let location: PictureLocation
    /// What the film is called there; empty when there are only pictures there.
    public let title: String
    /// And in its own language; empty when that is not known.
    public let originalTitle: String
    /// Of the film there; nil when unknown.
    public let year: Int?
    /// As the source says; nil when it does not.
    public let size: PictureSize?

    /// A picture that may be a film's poster.
    public init(
        source: MovieSource, location: PictureLocation, title: String, originalTitle: String = "", year: Int?,
        size: PictureSize?
    ) {
        self.source = source
        self.location = location
        self.title = title
        self.originalTitle = originalTitle
        self.year = year
        self.size = size
    }
}

/// Looks at a picture's first bytes, to know its size before it is chosen.
public protocol PictureInspector: Sendable {
    /// - Throws: `CancellationError` alone: whatever else goes wrong is an answer.
    func inspect(_ location: PictureLocation) async throws -> PictureInspection
}

/// What was found out about a picture. Reasons are sentences' ends for people; they hold no key.
public enum PictureInspection: Hashable, Sendable {
    /// As shown.
    case size(PictureSize)
    /// There is no picture that could be a poster, and there will be none soon.
    case unusable(reason: String)
    /// It could not be looked at now.
    case unreachable(reason: String)
}
