import MovieDomain

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
