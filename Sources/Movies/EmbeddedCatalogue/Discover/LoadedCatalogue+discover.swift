import MovieDomain
import SearchText

extension LoadedCatalogue {
    /// The films that pass a filter, in its order; equal ones by popularity.
    ///
    /// - Parameter language: The language of the titles for ``FilmFilter/Sort/title``.
    func films(_ filter: FilmFilter, in language: LanguagePreference) -> [EmbeddedFilm] {
        let films = (filter.sort == .rating ? self.byScore : self.byPopularity).filter { filter.leaves($0) }
        switch filter.sort {
        case .popularity, .rating: return films
        case .newest: return Self.sorted(films) { -$0.firstDay }
        case .oldest: return Self.sorted(films) { $0.firstDay }
        case .title: return Self.sorted(films) { FoldedText($0.title(in: language)).joined(by: " ") }
        }
    }

    private static func sorted(_ films: [EmbeddedFilm], by key: (EmbeddedFilm) -> some Comparable) -> [EmbeddedFilm] {
        films.enumerated().map { (key: key($1), place: $0, film: $1) }
            .sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.film)
    }
}

extension FilmFilter {
    /// No film of the catalogue has keywords.
    fileprivate func leaves(_ film: EmbeddedFilm) -> Bool {
        self.keyword == nil && self.genres.allSatisfy { film.genres.contains($0) }
            && self.years.map { $0.contains(film.year) } ?? true
            && self.country.map { film.countries.contains($0) } ?? true
            && self.originalLanguage.map { $0 == film.originalLanguage } ?? true
    }
}

extension EmbeddedFilm {
    /// The day of the first showing; if only the year is known, January 1, before all other films of that year.
    fileprivate var firstDay: Int {
        self.releaseDate?.dayNumber ?? CalendarDate(year: self.year, month: 1, day: 1)?.dayNumber ?? 0
    }
}
