import MovieDomain

/// All that a film can be found by, folded.
struct FilmSearchTexts: Sendable {
    let titles: [FoldedText]
    let directors: [FoldedText]
    let cast: [FoldedText]
    let year: Int

    /// The year as a word of a query.
    let yearWord: FoldedText

    var all: [FoldedText] { self.titles + self.directors + self.cast + [self.yearWord] }

    /// Everything a film is called, and who made it, in all languages.
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
