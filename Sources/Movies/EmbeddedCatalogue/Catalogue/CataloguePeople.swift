import MovieDomain
import SearchText

/// The people of the catalogue's films: their ids, their films, and a search index.
struct CataloguePeople: Sendable {
    struct Person: Sendable {
        let id: PersonID
        /// The name in Latin letters, as in the films.
        let name: String
        /// Indices into the catalogue, the most popular film first.
        fileprivate(set) var films: [Int]
    }

    /// By number of ratings of their films, descending.
    let people: [Person]
    /// Finds ``people`` by name, in the same way as films by title.
    let search: FilmSearchIndex
    private let places: [PersonID: Int]

    /// - Parameter byPopularity: Indices into `films`, the most popular first.
    init(_ films: [EmbeddedFilm], byPopularity: [Int], _ names: CatalogueNames) {
        var people: [PersonID: Person] = [:]
        for place in byPopularity {
            let film = films[place]
            let credits = film.crew.map { ($0.id, $0.name) } + film.cast.map { ($0.id, $0.name) }
            for case (let id?, let name) in credits {
                var person = people[id] ?? Person(id: id, name: name, films: [])
                if person.films.last != place { person.films.append(place) }
                people[id] = person
            }
        }
        let ratings = people.mapValues { person in
            person.films.reduce(0) { $0 + (films[$1].score?.count ?? 0) }
        }
        let sorted = people.values.sorted {
            (ratings[$1.id] ?? 0, $0.name) < (ratings[$0.id] ?? 0, $1.name)
        }
        self.people = sorted
        self.places = Dictionary(sorted.enumerated().map { ($1.id, $0) }) { first, _ in first }
        self.search = FilmSearchIndex(
            sorted.lazy.enumerated().map { place, person in
                FilmSearchIndex.Film(
                    place: place, year: 0, titles: names.people[person.name]?.written ?? [person.name],
                    directors: [], cast: [], characters: [], genres: [])
            })
    }

    func person(_ id: PersonID) -> Person? { self.places[id].map { self.people[$0] } }
}

extension CatalogueNames.Person {
    /// All spellings. For a Japanese name, also the Latin spelling with the family name first: the order of names
    /// romanised in Japan, and of names in kana.
    fileprivate var written: [String] {
        guard let last = self.name.lastIndex(of: " "), self.original != self.name, self.original == self.names["ja"]
        else { return self.spellings }
        return self.spellings + ["\(self.name[self.name.index(after: last)...]) \(self.name[..<last])"]
    }
}

extension PersonID {
    /// The id of a person in the catalogue: the name without accents and punctuation, such as `fritz-lang`.
    ///
    /// - Returns: `nil` for a name with non-Latin letters.
    init?(embedded name: String) {
        self.init(source: .embedded, key: FoldedText(name).joined(by: "-"))
    }
}
