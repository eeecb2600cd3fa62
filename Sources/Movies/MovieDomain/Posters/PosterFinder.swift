/// Finds posters for films of other sources.
package protocol PosterFinder: Sendable {
    var source: MovieSource { get }

    /// Candidates for a film, the best matches first, at most 20.
    func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate]
}

/// The search terms for a film's poster.
package struct PosterSearchTerms: Hashable, Sendable {
    package let id: MovieID
    /// The titles in the source's languages, the most promising first; never empty.
    package let titles: [String]
    package let year: Int?
    /// The day of the film's opening or reopening in Korea from a list; `nil` for terms of the film's details.
    ///
    /// Terms of a list have one title and the year of the opening: their matches must be certain.
    package let opening: CalendarDate?

    /// - Returns: `nil` without a non-empty title.
    package init?(id: MovieID, titles: [String], year: Int?) {
        self.init(id: id, titles: titles, year: year, opening: nil)
    }

    /// The terms of a row of a list.
    ///
    /// - Returns: `nil` if the title is empty.
    package init?(listed id: MovieID, title: String, opening: CalendarDate) {
        self.init(id: id, titles: [title], year: opening.year, opening: opening)
    }

    private init?(id: MovieID, titles: [String], year: Int?, opening: CalendarDate?) {
        let titles = titles.filter { !$0.isEmpty }
        guard !titles.isEmpty else { return nil }
        self.id = id
        self.titles = titles
        self.year = year
        self.opening = opening
    }
}

/// A possible poster of a film, from a source other than the film's own.
package struct PosterCandidate: Hashable, Sendable {
    package let source: MovieSource
    package let location: PictureLocation
    /// The film's title at that source; empty if the source has only pictures.
    package let title: String
    /// The film's original title at that source; empty if unknown.
    package let originalTitle: String
    package let year: Int?
    /// The size that the source states, if any.
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

/// Determines a picture's size from its first bytes.
package protocol PictureInspector: Sendable {
    /// - Throws: `CancellationError` only; other failures are results.
    func inspect(_ location: PictureLocation) async throws -> PictureInspection
}

/// The result of inspecting a picture. Reasons are clauses for display; they contain no API key.
package enum PictureInspection: Hashable, Sendable {
    case size(PictureSize)
    /// The picture is unusable, and will be for a while.
    case unusable(reason: String)
    /// The picture cannot be read at present.
    case unreachable(reason: String)
}
