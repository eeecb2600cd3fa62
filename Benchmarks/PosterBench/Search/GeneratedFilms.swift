import EmbeddedCatalogue

/// Generates films with titles, people and characters similar to a catalogue's, the same in every run.
///
/// Words and people are drawn with a skew, so that some are as frequent as `the` and most are rare.
struct GeneratedFilms {
    /// The exponent of a power of a uniform number: it makes the first items of a list more frequent than the last.
    private static let skew = 3

    private var random = SplitMix(seed: 17)
    private let words: [String]
    private let syllables: [String]
    private let letters: [String]
    private var people: [[String]] = []
    private var genres: [(id: String, names: [String])] = []

    init() {
        var random = SplitMix(seed: 1)
        self.words = ["the", "of", "a", "and", "in", "love", "night"] + (0..<30_000).map { _ in Self.word(&random) }
        self.syllables = Self.letters(600, in: 0xAC00...0xD7A3, &random)
        self.letters = Self.letters(60, in: 0x30A2...0x30F3, &random) + Self.letters(1500, in: 0x4E00...0x7FFF, &random)
        self.people = (0..<60_000).map { _ in [self.latin(1...2), self.korean(1...1), self.japanese(3...5)] }
        self.genres = (0..<20).map { ("genre \($0)", [self.latin(1...1), self.korean(1...1), self.japanese(2...3)]) }
    }

    mutating func film(_ place: Int) -> FilmSearchIndex.Film {
        FilmSearchIndex.Film(
            place: place, year: 1900 + self.draw(126),
            titles: [
                self.latin(1...4), self.korean(1...3), self.japanese(3...9), self.latin(1...4), self.korean(1...3),
            ],
            directors: [self.people[self.draw(self.people.count)]],
            cast: (0..<4).map { _ in self.people[self.draw(self.people.count)] },
            characters: (0..<4).map { _ in self.latin(1...2) },
            genres: (0..<2).map { _ in self.genres[self.draw(self.genres.count)] })
    }

    mutating func draw(_ count: Int) -> Int {
        var place = 1.0
        for _ in 0..<Self.skew { place *= Double.random(in: 0..<1, using: &self.random) }
        return min(count - 1, Int(place * Double(count)))
    }

    private mutating func latin(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &self.random)).map { _ in self.words[self.draw(self.words.count)] }
            .joined(separator: " ")
    }

    private mutating func korean(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &self.random)).map { _ in
            (0..<Int.random(in: 2...4, using: &self.random)).map { _ in self.syllables[self.draw(self.syllables.count)]
            }
            .joined()
        }.joined(separator: " ")
    }

    private mutating func japanese(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &self.random)).map { _ in self.letters[self.draw(self.letters.count)] }
            .joined()
    }

    /// Adds an error to a query: a wrong, missing or additional letter, or two swapped ones.
    mutating func misspelled(_ text: String) -> String {
        var letters = Array(text)
        guard letters.count > 3 else { return text }
        let place = Int.random(in: 1..<letters.count - 1, using: &self.random)
        switch Int.random(in: 0..<4, using: &self.random) {
        case 0: letters.remove(at: place)
        case 1: letters.swapAt(place, place + 1)
        case 2: letters.insert(letters[place - 1], at: place)
        default: letters[place] = letters[0]
        }
        return String(letters)
    }

    private static func word(_ random: inout SplitMix) -> String {
        let starts = [
            "b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "ch", "sh",
            "th",
        ]
        let vowels = ["a", "e", "i", "o", "u", "ea", "ou", "ai"]
        let ends = ["", "", "n", "r", "s", "l", "t", "nd", "ck", "m"]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            (starts.randomElement(using: &random) ?? "") + (vowels.randomElement(using: &random) ?? "")
                + (ends.randomElement(using: &random) ?? "")
        }.joined()
    }

    private static func letters(_ count: Int, in range: ClosedRange<UInt32>, _ random: inout SplitMix) -> [String] {
        (0..<count).compactMap { _ in Unicode.Scalar(UInt32.random(in: range, using: &random)).map { String($0) } }
    }
}
