import SearchText

/// The words of a query besides titles and people: years, countries, sound, and words for film.
///
/// `하녀1960`, `1920년대`, `한국 영화` and `german silent films of the 1920s` contain one; `하녀` does not.
struct QueryDescription {
    /// Years of the first public showing; `nil` for any.
    private(set) var years: ClosedRange<Int>?
    /// A film must be in one category of each group.
    private(set) var groups: [[FilmCategory]] = []
    /// The words without a descriptive meaning.
    private(set) var rest: [FoldedText] = []
    private var namesFilms = false

    /// - Returns: `nil` for a query without descriptive words.
    init?(_ words: [FoldedText]) {
        let pieces = words.flatMap { Self.pieces(of: $0.joined(by: "")) }
        var place = 0
        while place < pieces.count {
            place += self.read(pieces[place], next: place + 1 < pieces.count ? pieces[place + 1] : nil)
        }
        guard self.isCertain || !self.groups.isEmpty else { return nil }
        self.rest.removeAll { DescriptiveWords.prepositions.contains($0.joined(by: "")) }
        if self.rest.allSatisfy({ DescriptiveWords.articles.contains($0.joined(by: "")) }) { self.rest = [] }
    }

    /// Whether it has a year or a word for films: otherwise `korean` and `silent` may also be words of a title.
    var isCertain: Bool { self.namesFilms || self.years != nil }

    /// Whether it restricts the films: without years and groups it describes every film.
    var isRestricted: Bool { self.years != nil || !self.groups.isEmpty }

    /// - Returns: The number of pieces read: 1 or 2.
    private mutating func read(_ piece: String, next: String?) -> Int {
        if self.years == nil, let (years, count) = Self.years(piece, next: next) {
            self.years = years
            return count
        }
        if let next, let meaning = DescriptiveWords.meaning(of: piece + next) {
            self.add(meaning)
            return 2
        }
        if let meaning = DescriptiveWords.meaning(of: piece) {
            self.add(meaning)
        } else {
            self.rest.append(FoldedText(piece))
        }
        return 1
    }

    private mutating func add(_ meaning: DescriptiveWords.Meaning) {
        switch meaning {
        case .film: self.namesFilms = true
        case .categories(let categories): self.groups.append(categories)
        case .silentFilm:
            self.namesFilms = true
            self.groups.append([.silent])
        }
    }

    // MARK: Years

    /// The years of films, and the first years of decades.
    private static let validYears = 1888...2999
    private static let digitCounts = (year: 4, decade: 2)

    /// - Returns: The years and the number of pieces read; `nil` if the pieces are no year.
    private static func years(_ piece: String, next: String?) -> (years: ClosedRange<Int>, count: Int)? {
        guard let number = Int(piece) else { return nil }
        let digits = piece.utf8.count
        if let next, DescriptiveWords.decades.contains(next), number % 10 == 0 {
            let first = digits == Self.digitCounts.decade ? 1900 + number : number
            guard digits <= Self.digitCounts.year, Self.validYears.contains(first) else { return nil }
            return (first...(first + 9), 2)
        }
        guard digits == Self.digitCounts.year, Self.validYears.contains(number) else { return nil }
        return (number...number, next.map { DescriptiveWords.years.contains($0) } == true ? 2 : 1)
    }

    // MARK: Pieces

    /// Splits a word written without spaces: a year at its start or end, and a word for films at its end.
    private static func pieces(of word: String) -> [String] {
        if word.utf8.allSatisfy(Self.isDigit) { return [word] }
        let leading = word.utf8.prefix(while: Self.isDigit).count
        let afterDigits = String(word.dropFirst(leading))
        if leading == Self.digitCounts.year
            || leading == Self.digitCounts.decade && DescriptiveWords.decades.contains(where: afterDigits.hasPrefix)
        {
            return [String(word.prefix(leading))] + Self.parts(ofUnit: afterDigits)
        }
        let trailing = word.utf8.reversed().prefix(while: Self.isDigit).count
        guard trailing == Self.digitCounts.year else { return Self.parts(of: word) }
        return Self.parts(of: String(word.dropLast(trailing))) + [String(word.suffix(trailing))]
    }

    /// Splits the text after a year into a unit and further words.
    private static func parts(ofUnit text: String) -> [String] {
        guard let unit = DescriptiveWords.unspacedUnits.first(where: text.hasPrefix) else {
            return Self.parts(of: text)
        }
        let rest = String(text.dropFirst(unit.count))
        return [unit] + Self.parts(of: DescriptiveWords.withoutLeadingParticle(rest))
    }

    /// The minimum length of a non-descriptive word before a word for films, in letters: family names have one letter.
    private static let leastLetters = 2

    private static func parts(of word: String) -> [String] {
        guard !word.isEmpty else { return [] }
        for suffix in DescriptiveWords.filmSuffixes where word.hasSuffix(suffix) && word != suffix {
            let start = String(word.dropLast(suffix.count))
            if start.count >= Self.leastLetters || DescriptiveWords.meaning(of: start) != nil {
                return [start, suffix]
            }
        }
        return [word]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
