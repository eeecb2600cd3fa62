import MovieDomain
import SearchText

/// The decoded catalogue of the database: it is small, and used by every request.
struct LoadedCatalogue: Sendable {
    /// The fingerprint of the imported ``CatalogueResource``.
    let fingerprint: String
    /// In the catalogue's order.
    let films: [EmbeddedFilm]
    let names: CatalogueNames
    let search: FilmSearchIndex
    /// The people of ``films``.
    let people: CataloguePeople
    /// By number of ratings, descending.
    let byPopularity: [EmbeddedFilm]
    /// By average score, descending.
    let byScore: [EmbeddedFilm]
    private let indices: [MovieID: Int]

    init(fingerprint: String, films: [EmbeddedFilm], names: CatalogueNames) {
        self.fingerprint = fingerprint
        self.films = films
        self.names = names
        self.indices = Dictionary(films.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let places = films.indices.sorted {
            (films[$1].score?.count ?? 0, films[$0].position) < (films[$0].score?.count ?? 0, films[$1].position)
        }
        self.byPopularity = places.map { films[$0] }
        self.search = FilmSearchIndex(places.lazy.map { FilmSearchIndex.Film(films[$0], place: $0, names) })
        self.people = CataloguePeople(films, byPopularity: places, names)
        self.byScore = films.sorted {
            ($1.score?.average ?? 0, $0.position) < ($0.score?.average ?? 0, $1.position)
        }
    }

    func film(_ id: MovieID) -> EmbeddedFilm? { self.indices[id].map { self.films[$0] } }
}

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

extension FilmSearchIndex.Film {
    fileprivate init(_ film: EmbeddedFilm, place: Int, _ names: CatalogueNames) {
        let spellings = { (name: String) in names.people[name]?.spellings ?? [name] }
        self.init(
            place: place, year: film.year, titles: [film.originalTitle] + film.titles.values + film.otherTitles,
            directors: film.crew.map { spellings($0.name) }, cast: film.cast.map { spellings($0.name) },
            characters: film.cast.map(\.role),
            genres: film.genres.map { genre in
                (genre.rawValue, ["en", "ko", "ja"].compactMap { Language($0).flatMap { genre.name(in: $0) } })
            },
            categories: film.countries.map { .country($0.code) }
                + [film.sound].compactMap { $0 }.map { Self.category(ofSound: $0) })
    }

    /// Films with only music and effects count as silent.
    private static func category(ofSound word: String) -> FilmCategory { word == "spoken" ? .spoken : .silent }
}
