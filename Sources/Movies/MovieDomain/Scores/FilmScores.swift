/// A film's scores at all sources, and the facts that further look-ups need.
package struct FilmScores: Hashable, Sendable {
    /// The average scores of the users of sources, by source.
    package private(set) var audience: [MovieSource: AudienceScore] = [:]
    /// Scores of other sites; at most one per site.
    package private(set) var others: [ExternalScore]
    /// The IMDb title, such as `tt0133093`; `nil` if unknown.
    package private(set) var imdbID: String?
    /// The day of the first public showing; `nil` if unknown.
    package private(set) var releaseDate: CalendarDate?
    /// The year of the first public showing; `nil` if unknown.
    package private(set) var year: Int?
    /// Failures of sources, which therefore did not contribute.
    package internal(set) var missing: [SourceFailure] = []

    /// The scores in a film's details.
    package init(_ movie: Movie) {
        self.audience[movie.id.source] = movie.summary.score
        self.others = movie.otherScores
        self.imdbID = movie.imdbID
        self.releaseDate = movie.summary.releaseDate
        self.year = movie.summary.year
    }

    /// A film without known scores.
    init(imdbID: String?) {
        self.others = []
        self.imdbID = imdbID
    }

    /// Adds the scores and facts that are still unknown.
    mutating func add(_ other: FilmScores) {
        self.audience.merge(other.audience) { own, _ in own }
        self.add(other.others)
        self.imdbID = self.imdbID ?? other.imdbID
        self.releaseDate = self.releaseDate ?? other.releaseDate
        self.year = self.year ?? other.year
    }

    mutating func add(_ scores: [ExternalScore]) {
        self.others += scores.filter { new in !self.others.contains { $0.name == new.name } }
    }
}

extension FilmScores {
    private static let day: Int64 = 86_400

    /// How long scores stay current, in seconds, by the film's age: votes arrive while a film is new, and hardly change
    /// a score later. A day until 60 days after the release, a week in the first year, 30 days until the tenth, then a
    /// year; a week if the release is unknown.
    package func lifetime(at now: Instant) -> Int64 {
        let lastDay = self.year.flatMap { CalendarDate(year: $0, month: 12, day: 31) }
        return Self.lifetime(since: self.releaseDate ?? lastDay, at: now)
    }

    /// - Parameter release: `nil` if unknown.
    static func lifetime(since release: CalendarDate?, at now: Instant) -> Int64 {
        guard let release else { return 7 * Self.day }
        return switch now.date().dayNumber - release.dayNumber {
        case ..<60: Self.day
        case ..<365: 7 * Self.day
        case ..<3653: 30 * Self.day
        default: 365 * Self.day
        }
    }
}
