/// Finds films of one source by titles from another.
package protocol FilmFinder: Sendable {
    var source: MovieSource { get }

    /// Possible matches, in no particular order.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func films(for film: PosterSearchTerms) async throws -> [FoundFilm]
}

/// A film in the results of a search.
package struct FoundFilm: Hashable, Sendable {
    package let id: MovieID
    package let title: String
    /// Empty if unknown.
    package let originalTitle: String
    package let year: Int?

    package init(id: MovieID, title: String, originalTitle: String, year: Int?) {
        self.id = id
        self.title = title
        self.originalTitle = originalTitle
        self.year = year
    }
}

extension PosterSearchTerms {
    /// Whether a film may be the same: they share a title, and both years are known and at most
    /// ``PosterCriteria/yearTolerance`` apart.
    package func matches(_ film: FoundFilm) -> Bool {
        guard film.id.source != self.id.source, let year = self.year, let other = film.year,
            abs(year - other) <= PosterCriteria.yearTolerance
        else { return false }
        return self.isNamesake(film)
    }

    private func isNamesake(_ film: FoundFilm) -> Bool {
        let others = [film.title, film.originalTitle].filter { !$0.isEmpty }.map(FoldedTitle.init)
        return !Set(self.titles.map(FoldedTitle.init)).isDisjoint(with: others)
    }

    /// The link to the film of `films` that is certainly the same; `nil` without a unique match.
    ///
    /// Stricter than the choice of a poster, because ratings and favourites depend on it: of several matches, only one
    /// may be of exactly the same year. For the terms of a list, only one film of any year may have the title, because
    /// the list's day may be a rerelease's.
    package func counterpart(among films: [FoundFilm], at now: Instant) -> FilmLink? {
        guard let year = self.year else { return nil }
        if self.opening != nil, Set(films.filter(self.isNamesake).map(\.id)).count > 1 { return nil }
        var years: [MovieID: Int] = [:]
        for film in films where self.matches(film) { years[film.id] = film.year }
        let exact = years.filter { $0.value == year }
        let certain = exact.isEmpty ? years : exact
        guard certain.count == 1, let (counterpart, other) = certain.first else { return nil }
        let span = other == year ? "\(year) in both" : "\(year) and \(other)"
        return FilmLink(film: self.id, counterpart: counterpart, reason: "same title, \(span)", linkedAt: now)
    }
}
