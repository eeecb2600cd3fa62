import MovieDomain

/// A film of the embedded catalogue, in all its languages.
struct EmbeddedFilm: Sendable {
    let id: MovieID
    /// The position in the catalogue, from 0.
    let position: Int
    /// By language code; not empty.
    let titles: [String: String]
    let originalTitle: String
    /// Alternative titles, for search only.
    let otherTitles: [String]
    /// For a silent film, the language of its intertitles.
    let originalLanguage: Language?
    let year: Int
    let releaseDate: CalendarDate?
    let runtimeMinutes: Int?
    let genres: [GenreID]
    /// The directors, in Latin letters.
    let crew: [Credits.CrewMember]
    /// In Latin letters.
    let cast: [Credits.CastMember]
    let countries: [Country]
    /// By language code.
    let overviews: [String: String]
    let score: AudienceScore?
    /// A rating of the British Board of Film Classification.
    let certificate: Certificate?
    /// A word of ``CatalogueNames``, such as `silent`.
    let sound: String?
    /// A word of ``CatalogueNames``.
    let colour: String?
    let poster: PosterReference?
    /// All pictures except the poster, the backdrop first.
    let pictures: [FilmImage]

    /// The first of ``pictures`` if that is a backdrop; its only id is its id in the gallery.
    private var backdrop: PosterReference? {
        guard let first = self.pictures.first?.picture, first.kind == .backdrop else { return nil }
        return PosterReference(first.location, size: first.size)
    }

    var images: [FilmImage] {
        let poster = self.poster.map { GalleryPicture(kind: .poster, location: $0.location, size: $0.size) }
        return (poster.map { [FilmImage($0, isTextless: false)] } ?? []) + self.pictures
    }

    func title(in language: LanguagePreference) -> String {
        language.choice(from: self.titles, original: self.originalLanguage)?.text ?? self.originalTitle
    }

    func credits(in language: LanguagePreference, _ names: CatalogueNames) -> Credits {
        Credits(
            cast: self.cast.map { member in
                Credits.CastMember(
                    name: names.person(member.name, in: language),
                    originalName: names.people[member.name]?.original ?? "", role: member.role, id: member.id)
            },
            crew: self.crew.map {
                Credits.CrewMember(
                    name: names.person($0.name, in: language), sourceJob: $0.sourceJob, id: $0.id)
            })
    }

    /// - Parameter opening: The first day of the current run, in lists of films in cinemas.
    func summary(
        in language: LanguagePreference, _ names: CatalogueNames, opening: CalendarDate? = nil
    ) -> MovieSummary? {
        MovieSummary(
            id: self.id, title: self.title(in: language), originalTitle: self.originalTitle,
            originalLanguage: self.originalLanguage,
            overview: language.choice(from: self.overviews, original: self.originalLanguage)?.text ?? "",
            releaseDate: self.releaseDate, year: self.year,
            genres: self.genres.map { Genre($0, in: language) },
            directors: self.crew.map { names.person($0.name, in: language) },
            cast: self.cast.prefix(3).map { names.person($0.name, in: language) }, score: self.score,
            poster: self.poster,
            rerelease: opening.map { Rerelease(date: $0, anniversary: $0.year - self.year) },
            backdrop: self.backdrop)
    }

    func movie(in language: LanguagePreference, _ names: CatalogueNames, reviews: Page<Review>) -> Movie? {
        let words: [(name: InformationName, word: String?)] = [(.sound, self.sound), (.color, self.colour)]
        let facts = words.map { name, word in (name, word.map { names.word($0, in: language) }) }
        return self.summary(in: language, names).map {
            Movie(
                summary: $0, runtimeMinutes: self.runtimeMinutes, countries: self.countries,
                certificate: self.certificate, status: .released, credits: self.credits(in: language, names),
                gallery: self.pictures.map(\.picture), reviews: reviews.results, reviewCount: reviews.totalResults,
                information: InformationItem.items(facts))
        }
    }
}

/// The names of the catalogue's people and other words in several languages.
struct CatalogueNames: Sendable {
    struct Person: Sendable {
        /// The name in Latin letters, as in the films.
        let name: String
        /// By language code.
        private(set) var names: [String: String] = [:]
        /// The name in the person's own language.
        private(set) var original: String
        /// Other spellings, for search only.
        private(set) var others: [String] = []

        var spellings: [String] { [self.name] + self.names.values.sorted() + self.others }

        /// - Parameter name: In Latin letters.
        init(name: String) {
            (self.name, self.original) = (name, name)
        }

        /// - Parameter language: `nil` for another spelling, for search only.
        mutating func add(_ name: String, language: String?, isOriginal: Bool) {
            if let language { self.names[language] = name } else { self.others.append(name) }
            if isOriginal { self.original = name }
        }
    }

    /// By word and language code.
    var words: [String: [String: String]] = [:]
    /// By name in Latin letters.
    var people: [String: Person] = [:]

    func word(_ word: String, in language: LanguagePreference) -> String {
        language.choice(from: self.words[word] ?? [:], original: nil)?.text ?? word
    }

    /// The name in a preferred language, else in Latin letters.
    func person(_ name: String, in language: LanguagePreference) -> String {
        guard let names = self.people[name]?.names else { return name }
        for preferred in language.languages {
            if preferred == .english { return name }
            if let text = names[preferred.code] { return text }
        }
        return name
    }
}
