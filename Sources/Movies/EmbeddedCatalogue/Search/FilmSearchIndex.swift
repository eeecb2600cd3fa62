import BoundedCache
import SearchText

/// What films are found by: titles in all languages, people, characters and genres, as they are written, as they sound, and by their initial consonants.
package struct FilmSearchIndex: Sendable {
    /// What of a film an entry is, the best first; a number of 3 bits.
    enum Part: UInt32 {
        case title, wordOfTitle, insideTitle, person, insideName, character, genre
    }

    /// The owner of an entry: a film for titles and characters, else a person or genre, whose films are in ``films(of:)``.
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

    /// By popularity, the most popular first: positions in the catalogue. A film of the index is an offset into it.
    private(set) var places: [Int32] = []
    private(set) var years: [Int16] = []
    private(set) var texts = PrefixIndex()
    /// Those with Hangul, with a key for each syllable.
    private(set) var letters = PrefixIndex()
    private(set) var sounds = PrefixIndex()
    private(set) var initials = PrefixIndex()
    /// By owner, where its films end in ``filmsOfOwners``.
    private var ends: [UInt32] = []
    private var filmsOfOwners: [UInt32] = []
    private var filmsOfCategories: [FilmCategory: [UInt32]] = [:]
    /// What short queries found, as ``places``: all begin with one, and one letter fits more than any word.
    let foundShort = BoundedCache<String, [Int32]>(
        countLimit: Self.shortQueryLimit, costLimit: Self.shortQueriesByteLimit)

    /// The longest query, in bytes of UTF-8, that is looked up in ``foundShort``.
    static let shortQueryLength = 8
    private static let shortQueriesByteLimit = 4 << 20
    private static let shortQueryLimit = 2048

    /// How well each film fits one of several words, of those that take long: that have one or two letters, with which many entries begin, or
    /// are misspelt. They stay the same while the next word is typed.
    let ranksOfWords = BoundedCache<Word, [SearchRank]>(countLimit: Self.wordLimit, costLimit: Self.wordsByteLimit)

    struct Word: Hashable, Sendable {
        let text: FoldedText
        let isCorrected: Bool
    }

    /// The longest word, in letters, that is looked up in ``ranksOfWords`` although it is not corrected.
    static let shortWordLength = 2
    private static let wordsByteLimit = 8 << 20
    /// As many as there is room for with 65,536 films: with few films a word takes more bytes than its ranks.
    private static let wordLimit = 64

    var count: Int { self.places.count }
    /// Of all arrays, in bytes.
    package var byteCount: Int {
        [self.texts, self.letters, self.sounds, self.initials].reduce(0) { $0 + $1.byteCount } + 6 * self.count
            + 4 * (self.ends.count + self.filmsOfOwners.count)
            + 4 * self.filmsOfCategories.values.reduce(0) { $0 + $1.count }
    }

    /// The films of a person or genre: twice their number, and 1 for those that the person did not direct.
    func films(of owner: Int) -> ArraySlice<UInt32> {
        self.filmsOfOwners[(owner == 0 ? 0 : Int(self.ends[owner - 1]))..<Int(self.ends[owner])]
    }

    func films(in category: FilmCategory) -> [UInt32] { self.filmsOfCategories[category] ?? [] }

    /// Whether it is a consonant without a vowel, or a digit.
    static func isInitial(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{1100}"..."\u{1112}").contains(scalar) || ("0"..."9").contains(scalar)
    }

    /// The texts of a film.
    package struct Film {
        package var place: Int
        package var year: Int
        package var titles: [String]
        /// Of each director, all spellings.
        package var directors: [[String]]
        package var cast: [[String]]
        package var characters: [String]
        /// By id, names in all languages.
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

    /// People and genres while the index is built.
    private struct Owners {
        var numbers: [String: Int] = [:]
        var films: [[UInt32]] = []
    }

    /// - Parameter films: The most popular first.
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

    /// Words begin after spaces, and at each letter of scripts that are written without them.
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
