import BoundedCache
import SearchText

/// The search index of films: titles, people, characters and genres, as written, by sound, and by initial consonants.
package struct FilmSearchIndex: Sendable {
    /// The indexed part of a film, in descending order of relevance; 3 bits.
    enum Part: UInt32 {
        case title, wordOfTitle, insideTitle, person, insideName, character, genre
    }

    /// The owner of an entry: a film for titles and characters, otherwise a person or genre (``films(of:)``).
    struct Value {
        let part: Part
        let owner: Int

        init(_ part: Part, _ owner: Int) {
            (self.part, self.owner) = (part, owner)
        }

        init(_ number: UInt32) {
            self.init(Part(rawValue: number >> 29) ?? .title, Int(number & 0x1FFF_FFFF))
        }

        var number: UInt32 { self.part.rawValue << 29 | UInt32(self.owner) }
    }

    /// Positions in the catalogue by popularity, descending. The index identifies a film by its offset in this array.
    private(set) var places: [Int32] = []
    private(set) var years: [Int16] = []
    private(set) var texts = PrefixIndex()
    /// Texts with Hangul, with a key for each syllable.
    private(set) var letters = PrefixIndex()
    private(set) var sounds = PrefixIndex()
    private(set) var initials = PrefixIndex()
    /// The end of each owner's films in ``filmsOfOwners``.
    private var ends: [UInt32] = []
    private var filmsOfOwners: [UInt32] = []
    private var filmsOfCategories: [FilmCategory: [UInt32]] = [:]
    /// Cached results of short queries, as positions in the catalogue: all queries begin short, and a letter matches
    /// more entries than any word.
    let foundShort = BoundedCache<String, [Int32]>(
        countLimit: Self.shortQueryLimit, costLimit: Self.shortQueriesByteLimit)

    /// Maximum length of a query in ``foundShort``, in bytes of UTF-8.
    static let shortQueryLength = 8
    private static let shortQueriesByteLimit = 4 << 20
    private static let shortQueryLimit = 2048

    /// Cached ranks of words in longer queries that are expensive to match: words of one or two letters, which many
    /// entries begin with, and misspelt ones. They are reused while the next word is typed.
    let ranksOfWords = BoundedCache<Word, [SearchRank]>(countLimit: Self.wordLimit, costLimit: Self.wordsByteLimit)

    struct Word: Hashable, Sendable {
        let text: FoldedText
        let isCorrected: Bool
    }

    /// Maximum length of an uncorrected word in ``ranksOfWords``, in letters.
    static let shortWordLength = 2
    private static let wordsByteLimit = 8 << 20
    /// The number that fits with 65,536 films. With few films, a word is larger than its ranks.
    private static let wordLimit = 64

    var count: Int { self.places.count }
    /// The size of all arrays, in bytes.
    package var byteCount: Int {
        [self.texts, self.letters, self.sounds, self.initials].reduce(0) { $0 + $1.byteCount } + 6 * self.count
            + 4 * (self.ends.count + self.filmsOfOwners.count)
            + 4 * self.filmsOfCategories.values.reduce(0) { $0 + $1.count }
    }

    /// The films of a person or genre: twice the film's number, plus 1 if the person did not direct it.
    func films(of owner: Int) -> ArraySlice<UInt32> {
        self.filmsOfOwners[(owner == 0 ? 0 : Int(self.ends[owner - 1]))..<Int(self.ends[owner])]
    }

    func films(in category: FilmCategory) -> [UInt32] { self.filmsOfCategories[category] ?? [] }

    /// Whether a scalar is a consonant without a vowel, or a digit.
    static func isInitial(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{1100}"..."\u{1112}").contains(scalar) || ("0"..."9").contains(scalar)
    }

    /// The indexed texts of a film.
    package struct Film {
        package var place: Int
        package var year: Int
        package var titles: [String]
        /// All spellings of each director.
        package var directors: [[String]]
        package var cast: [[String]]
        package var characters: [String]
        /// By id, with names in all languages.
        package var genres: [(id: String, names: [String])]
        package var categories: [FilmCategory]

        package init(
            place: Int, year: Int, titles: [String], directors: [[String]], cast: [[String]], characters: [String],
            genres: [(id: String, names: [String])], categories: [FilmCategory] = []
        ) {
            (self.place, self.year, self.titles, self.directors) = (place, year, titles, directors)
            (self.cast, self.characters, self.genres, self.categories) = (cast, characters, genres, categories)
        }
    }

    /// People and genres during the construction of the index.
    private struct Owners {
        var numbers: [String: Int] = [:]
        var films: [[UInt32]] = []
    }

    /// - Parameter films: By popularity, descending.
    package init(_ films: some Sequence<Film>) {
        var owners = Owners()
        for film in films { self.add(film, &owners) }
        for films in owners.films {
            self.filmsOfOwners += films
            self.ends.append(UInt32(self.filmsOfOwners.count))
        }
        self.texts.sort()
        self.letters.sort()
        self.sounds.sort()
        self.initials.sort()
    }

    private mutating func add(_ film: Film, _ owners: inout Owners) {
        let number = self.places.count
        self.places.append(Int32(film.place))
        self.years.append(Int16(clamping: film.year))
        for category in film.categories { self.filmsOfCategories[category, default: []].append(UInt32(number)) }
        for title in Set(film.titles.map { FoldedText($0) }) where !title.isEmpty { self.add(title: title, number) }
        for character in Set(film.characters.map { FoldedText($0) }) {
            self.add(character, words: (.character, .character), inside: nil, number)
        }
        for (people, isCast) in [(film.directors, false), (film.cast, true)] {
            for spellings in people {
                guard let name = spellings.first else { continue }
                let owner = self.owner("person " + name, spellings, .person, inside: .insideName, &owners)
                owners.films[owner].append(UInt32(number) << 1 | (isCast ? 1 : 0))
            }
        }
        for genre in film.genres {
            let owner = self.owner("genre " + genre.id, genre.names, .genre, inside: nil, &owners)
            owners.films[owner].append(UInt32(number) << 1)
        }
    }

    private mutating func owner(
        _ id: String, _ texts: [String], _ word: Part, inside: Part?, _ owners: inout Owners
    ) -> Int {
        if let owner = owners.numbers[id] { return owner }
        let owner = owners.films.count
        owners.numbers[id] = owner
        owners.films.append([])
        for text in Set(texts.map { FoldedText($0) }) where !text.isEmpty {
            self.add(text, words: (word, word), inside: inside, owner)
        }
        return owner
    }

    private mutating func add(title: FoldedText, _ film: Int) {
        self.add(title, words: (.title, .wordOfTitle), inside: .insideTitle, film)
        if let sound = SoundKeys.keys(of: title) {
            self.sounds.add(sound.keys, starts: [(0, Value(.title, film).number)])
        }
        if let initials = SearchKeys(initialsOf: title) {
            let starts = Self.starts(title, words: (.title, .wordOfTitle), inside: nil)
            self.initials.add(initials.keys, starts: starts.map { ($0.letter, Value($0.part, film).number) })
        }
    }

    private mutating func add(_ text: FoldedText, words: (Part, Part), inside: Part?, _ owner: Int) {
        let keys = SearchKeys(text)
        let starts = Self.starts(text, words: words, inside: inside)
        self.texts.add(keys.keys, starts: starts.map { (keys.letterStarts[$0.letter], Value($0.part, owner).number) })
        guard keys.keys.count > text.scalars.count else { return }
        self.letters.add(
            SearchKeys(letters: text).keys, starts: starts.map { ($0.letter, Value($0.part, owner).number) })
    }

    /// Words begin after spaces, and at each letter of scripts without spaces.
    private static func starts(
        _ text: FoldedText, words: (first: Part, others: Part), inside: Part?
    ) -> [(letter: Int, part: Part)] {
        let wordStarts = Set(text.wordStarts)
        return text.scalars.indices.compactMap { letter in
            if letter == 0 { return (letter, words.first) }
            if wordStarts.contains(letter) { return (letter, words.others) }
            return inside.flatMap { FoldedText.isUnspaced(text.scalars[letter]) ? (letter, $0) : nil }
        }
    }
}
