/// Finds posters for films of other sources.
package protocol PosterFinder: Sendable {
    var source: MovieSource { get }

    /// Candidates for a film, the best matches first, at most 20.
    func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate]
}

/// The terms to search a film's poster with.
package struct PosterSearchTerms: Hashable, Sendable {
    package let id: MovieID
    /// The titles in the languages of its source, the most promising first; never empty.
    package let titles: [String]
    /// nil when unknown.
    package let year: Int?
    package let directors: [String]

    /// - Returns: nil without a title.
    package init?(id: MovieID, titles: [String], year: Int?, directors: [String]) {
        let titles = titles.filter { !$0.isEmpty }
        guard !titles.isEmpty else { return nil }
        self.id = id
        self.titles = titles
        self.year = year
        self.directors = directors
    }
}

/// A picture that may be a film's poster, offered by a source other than the film's own.
package struct PosterCandidate: Hashable, Sendable {
    package let source: MovieSource
    package let location: PictureLocation
    /// The film's title at that source; empty when the source has only pictures.
    package let title: String
    /// The film's original title at that source; empty when unknown.
    package let originalTitle: String
    /// The film's year at that source; nil when unknown.
    package let year: Int?
    /// The size that the source states; nil when it does not.
    package let size: PictureSize?

    package init(
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

/// Reads a picture's first bytes to determine its size before it is chosen.
package protocol PictureInspector: Sendable {
    /// - Throws: Only `CancellationError`; other failures are results.
    func inspect(_ location: PictureLocation) async throws -> PictureInspection
}

/// The result of inspecting a picture. Reasons are clauses for display; they contain no API key.
package enum PictureInspection: Hashable, Sendable {
    /// The size as displayed, in pixels.
    case size(PictureSize)
    /// It is no usable picture, and will not become one soon.
    case unusable(reason: String)
    /// It could not be read now.
    case unreachable(reason: String)
}
