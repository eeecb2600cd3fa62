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
    /// When a list says that the film opened in Korea, first or again; nil for terms of the film's details.
    ///
    /// Such terms have one title, and the year is that of the opening: what is found by them has to be certain.
    package let opening: CalendarDate?

    /// - Returns: nil without a title.
    package init?(id: MovieID, titles: [String], year: Int?, directors: [String]) {
        self.init(id: id, titles: titles, year: year, directors: directors, opening: nil)
    }

    /// The terms that a row of a list has.
    ///
    /// - Returns: nil without a title.
    package init?(listed id: MovieID, title: String, opening: CalendarDate) {
        self.init(id: id, titles: [title], year: opening.year, directors: [], opening: opening)
    }

    private init?(id: MovieID, titles: [String], year: Int?, directors: [String], opening: CalendarDate?) {
        let titles = titles.filter { !$0.isEmpty }
        guard !titles.isEmpty else { return nil }
        self.id = id
        self.titles = titles
        self.year = year
        self.directors = directors
        self.opening = opening
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
        self.year = year.flatMap { CalendarDate.years.contains($0) ? $0 : nil }
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
