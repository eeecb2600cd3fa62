import MovieDomain
import SearchText

extension LoadedCatalogue {
    /// The films that a filter leaves, in its order; equals in the order of popularity.
    /// - Parameter language: Of the titles by which ``FilmFilter/Sort/title`` sorts.
    func films(_ filter: FilmFilter, in language: LanguagePreference) -> [EmbeddedFilm] {
        let films = (filter.sort == .rating ? self.byScore : self.byPopularity).filter { filter.leaves($0) }
        switch filter.sort {
        case .popularity, .rating: return films
        case .newest: return Self.sorted(films) { -$0.firstDay }
        case .oldest: return Self.sorted(films) { $0.firstDay }
        case .title: return Self.sorted(films) { FoldedText($0.title(in: language)).joined(by: " ") }
        }
    }

    /// Films with equal keys stay in their order.
    private static func sorted(_ films: [EmbeddedFilm], by key: (EmbeddedFilm) -> some Comparable) -> [EmbeddedFilm] {
        films.enumerated().map { (key: key($1), place: $0, film: $1) }
            .sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.film)
    }
}

extension FilmFilter {
    /// No film has a keyword.
    fileprivate func leaves(_ film: EmbeddedFilm) -> Bool {
        self.keyword == nil && self.genres.allSatisfy { film.genres.contains($0) }
            && self.years.map { $0.contains(film.year) } ?? true
            && self.country.map { film.countries.contains($0) } ?? true
            && self.originalLanguage.map { $0 == film.originalLanguage } ?? true
    }
}

extension EmbeddedFilm {
    /// The day of the first showing; where only the year is known, the first of January, before all others of that year.
    fileprivate var firstDay: Int {
        self.releaseDate?.dayNumber ?? CalendarDate(year: self.year, month: 1, day: 1)?.dayNumber ?? 0
    }
}
