import MovieDomain

/// The embedded catalogue of the database, decoded: it is small and used by every request.
struct LoadedCatalogue: Sendable {
    /// Of the ``CatalogueResource`` that it was imported from.
    let fingerprint: String
    /// In the catalogue's order.
    let films: [EmbeddedFilm]
    let names: CatalogueNames
    /// The searchable texts of ``films``, in the same order.
    let searchTexts: [FilmSearchTexts]
    /// Into ``films``, by position in the catalogue.
    let places: [Int: Int]
    /// By number of ratings, descending.
    let byPopularity: [EmbeddedFilm]
    /// By average score, descending.
    let byScore: [EmbeddedFilm]
    private let indices: [MovieID: Int]

    init(fingerprint: String, films: [EmbeddedFilm], names: CatalogueNames) {
        self.fingerprint = fingerprint
        self.films = films
        self.names = names
        self.searchTexts = films.map { FilmSearchTexts($0, names) }
        self.places = Dictionary(films.enumerated().map { ($1.position, $0) }) { first, _ in first }
        self.indices = Dictionary(films.enumerated().map { ($1.id, $0) }) { first, _ in first }
        self.byPopularity = films.sorted {
            ($1.score?.count ?? 0, $0.position) < ($0.score?.count ?? 0, $1.position)
        }
        self.byScore = films.sorted {
            ($1.score?.average ?? 0, $0.position) < ($0.score?.average ?? 0, $1.position)
        }
    }

    func film(_ id: MovieID) -> EmbeddedFilm? { self.indices[id].map { self.films[$0] } }
}

/// The searchable texts of a film, folded.
struct FilmSearchTexts: Sendable {
    let titles: [FoldedText]
    let directors: [FoldedText]
    let cast: [FoldedText]
    let year: Int

    /// The year as a word of a query.
    let yearWord: FoldedText

    var all: [FoldedText] { self.titles + self.directors + self.cast + [self.yearWord] }

    /// Titles, directors and cast in all languages.
    init(_ film: EmbeddedFilm, _ names: CatalogueNames) {
        let spellings = { (name: String) in names.people[name]?.spellings ?? [name] }
        self.titles = Self.folded([film.originalTitle] + film.titles.values.sorted() + film.otherTitles)
        self.directors = Self.folded(film.directors.flatMap(spellings))
        self.cast = Self.folded(film.cast.map(\.name).flatMap(spellings))
        self.year = film.year
        self.yearWord = FoldedText(String(film.year))
    }

    private static func folded(_ texts: [String]) -> [FoldedText] {
        var once: [FoldedText] = []
        for text in texts.map({ FoldedText($0) }) where !text.isEmpty && !once.contains(text) { once.append(text) }
        return once
    }
}
