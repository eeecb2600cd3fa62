/// Finds films of one source by the titles that another has.
package protocol FilmFinder: Sendable {
    var source: MovieSource { get }

    /// Films that may be the one described, in no particular order.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func films(for film: PosterSearchTerms) async throws -> [FoundFilm]
}

/// A film in the results of a search.
package struct FoundFilm: Hashable, Sendable {
    package let id: MovieID
    package let title: String
    /// Empty when unknown.
    package let originalTitle: String
    /// nil when unknown.
    package let year: Int?

    package init(id: MovieID, title: String, originalTitle: String, year: Int?) {
        self.id = id
        self.title = title
        self.originalTitle = originalTitle
        self.year = year
    }
}

extension PosterSearchTerms {
    /// Whether a film may be this one: a title in common, and both years known and at most
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

    /// The one film of `films` that is certainly this one; nil when there is none or the choice is not unique.
    ///
    /// Stricter than the choice of a poster, because ratings and favourites follow: of several films that match, it is the only
    /// one of the very year. By a list's terms it is the only one of its title in any year, because the list's day may be that of a
    /// re-release.
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
