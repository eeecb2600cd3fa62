import MovieDomain

/// A film of the embedded catalogue, in all its languages.
struct EmbeddedFilm {
    let id: MovieID
    /// By language code; not empty.
    let titles: [String: String]
    let originalTitle: String
    /// Of the intertitles where nobody speaks.
    let originalLanguage: Language?
    let year: Int
    let releaseDate: CalendarDate?
    let runtimeMinutes: Int?
    let genres: [String]
    let directors: [String]
    let cast: [Credits.CastMember]
    /// ISO 3166-1 alpha-2.
    let countries: [String]
    let overview: String
    let poster: PosterReference?

    var credits: Credits {
        Credits(cast: self.cast, crew: self.directors.map { Credits.CrewMember(name: $0, job: "Director") })
    }

    func summary(in language: LanguagePreference) -> MovieSummary? {
        MovieSummary(
            id: self.id, title: language.choice(from: self.titles, original: self.originalLanguage)?.text ?? "",
            originalTitle: self.originalTitle, originalLanguage: self.originalLanguage, overview: self.overview,
            releaseDate: self.releaseDate, year: self.year,
            genres: self.genres.map { Genre(id: $0, name: $0) }, directors: self.directors,
            cast: self.cast.prefix(3).map(\.name), poster: self.poster)
    }

    func movie(in language: LanguagePreference) -> Movie? {
        self.summary(in: language).map {
            Movie(
                summary: $0, runtimeMinutes: self.runtimeMinutes, countries: self.countries, status: "Released",
                credits: self.credits)
        }
    }
}
