import MovieDomain

/// The embedded catalogue as it is in the database, decoded: it is small, and asked for all the time.
struct LoadedCatalogue: Sendable {
    /// Of the resource that it was imported from.
    let fingerprint: String
    /// In the catalogue's order.
    let films: [EmbeddedFilm]
    let names: CatalogueNames
    /// What ``films`` are found by, one for each.
    let searchTexts: [FilmSearchTexts]
    /// Into ``films``, by position in the catalogue.
    let places: [Int: Int]
    /// Rated by most first.
    let byPopularity: [EmbeddedFilm]
    /// Rated best first.
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
