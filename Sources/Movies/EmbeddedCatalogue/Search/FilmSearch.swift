import BoundedCache
import SearchText

/// Searches films in three stages: as written; by sound and by another keyboard layout; with spelling errors.
///
/// A stage is entered only if no title, name or word begins with the query so far: exact matches are first and alone.
package struct FilmSearch {
    /// Maximum number of words in a query; further ones are ignored.
    static let wordLimit = 12
    /// Maximum number of returned films.
    static let filmLimit = 1000
    /// The index of the last word of a query that is corrected.
    static let correctedWordLimit = 4

    private let index: FilmSearchIndex
    private let text: String
    private let words: [FoldedText]
    private let year: Int?
    /// `nil` for a query that consists of titles and names.
    private let description: QueryDescription?
    private var found: SearchMatches

    /// - Returns: Positions in the catalogue, the best first; equal ones by popularity.
    package static func films(for text: String, year: Int? = nil, in index: FilmSearchIndex) -> [Int] {
        let isShort = year == nil && text.utf8.count <= FilmSearchIndex.shortQueryLength
        if isShort, let found = index.foundShort.value(for: text) { return found.map { Int($0) } }
        let found = self.search(text, year, index)
        if isShort {
            index.foundShort.insert(found, for: text, cost: (found.count + 32) * MemoryLayout<Int32>.stride)
        }
        return found.map { Int($0) }
    }

    private static func search(_ text: String, _ year: Int?, _ index: FilmSearchIndex) -> [Int32] {
        var search = FilmSearch(text, year, index)
        guard !search.words.isEmpty, index.count > 0 else { return [] }
        for stage in Stage.allCases {
            search.look(stage)
            if search.found.hasBeginnings { break }
        }
        return search.found.best(Self.filmLimit).map { index.places[$0] }
    }

    private init(_ text: String, _ year: Int?, _ index: FilmSearchIndex) {
        (self.index, self.text, self.year) = (index, text, year)
        self.words = Array(FoldedText(text).words.prefix(Self.wordLimit))
        self.description = QueryDescription(self.words)
        self.found = SearchMatches(index)
    }

    private enum Stage: CaseIterable {
        case asWritten, asMeant, withErrors
    }

    private mutating func look(_ stage: Stage) {
        let all = self.words
        let years = self.year.map { $0...$0 }
        if stage == .withErrors, !self.found.hasAny, let description, !description.isCertain {
            self.look(.asWritten, for: description, years: years)
            if self.found.hasAny { return }
        }
        self.look(stage, for: all, years: years)
        // "metropolis 1927" is a title and a year; "1984" may be a title as well.
        for (place, word) in all.enumerated() {
            guard let year = Self.year(word), self.year == nil || self.year == year else { continue }
            let rest = all.enumerated().filter { $0.offset != place }.map(\.element)
            if rest.isEmpty, stage == .asWritten {
                self.found.addFilms(of: year...year)
            } else if !rest.isEmpty {
                self.look(stage, for: rest, years: year...year)
            }
            break
        }
        if let description, description.isCertain { self.look(stage, for: description, years: years) }
    }

    /// - Parameter years: The request's years, in addition to those in the query; `nil` for any.
    private mutating func look(_ stage: Stage, for description: QueryDescription, years: ClosedRange<Int>?) {
        if let years, let described = description.years, !described.overlaps(years) { return }
        let years = years ?? description.years
        guard description.rest.isEmpty else {
            // Descriptive words may also be part of a title, which is found without a description.
            guard !self.found.hasTitlesOrNames else { return }
            return self.look(stage, for: description.rest, years: years, in: description.groups)
        }
        guard stage == .asWritten, description.isRestricted else { return }
        var found = SearchMatches(self.index)
        found.addFilms(of: years)
        for group in description.groups { found.narrow(to: group) }
        self.found.add(found)
    }

    private static func year(_ word: FoldedText) -> Int? {
        guard word.scalars.count == 4, let year = Int(String(String.UnicodeScalarView(word.scalars))) else {
            return nil
        }
        return (1888...2999).contains(year) ? year : nil
    }

    private mutating func look(
        _ stage: Stage, for words: [FoldedText], years: ClosedRange<Int>?, in groups: [[FilmCategory]] = []
    ) {
        var found = SearchMatches(self.index)
        let whole = FoldedText(words: words)
        switch stage {
        case .asWritten:
            found.add(whole, isWhole: true)
            found.addInitials(whole)
        case .asMeant:
            found.addSound(whole, errors: 0)
            let typed = words == self.words ? self.text : String(String.UnicodeScalarView(whole.scalars))
            found.addOtherLayout(typed, whole)
        case .withErrors:
            found.addCorrected(whole, isWhole: true)
            found.addSound(whole, errors: 1)
        }
        if words.count > 1, stage != .asMeant, var apart = self.matches(of: words[0], stage, 1) {
            for (place, word) in words.enumerated().dropFirst() where apart.hasAny {
                guard let next = self.matches(of: word, stage, place) else {
                    apart = SearchMatches(self.index)
                    break
                }
                apart.narrow(by: next)
            }
            found.add(apart)
        }
        if let years { found.narrow(to: years) }
        for group in groups { found.narrow(to: group) }
        self.found.add(found)
    }

    /// The matches of one of several words; `nil` if there are none.
    private func matches(of word: FoldedText, _ stage: Stage, _ place: Int) -> SearchMatches? {
        let isShort = word.scalars.count <= FilmSearchIndex.shortWordLength
        if let found = self.matches(of: word, isKept: isShort, isCorrected: false) { return found }
        guard stage == .withErrors, place <= Self.correctedWordLimit else { return nil }
        return self.matches(of: word, isKept: true, isCorrected: true)
    }

    /// - Parameter isKept: Whether the ranks are cached for the next query with this word.
    private func matches(of word: FoldedText, isKept: Bool, isCorrected: Bool) -> SearchMatches? {
        let key = FilmSearchIndex.Word(text: word, isCorrected: isCorrected)
        if isKept, let ranks = self.index.ranksOfWords.value(for: key) { return SearchMatches(self.index, ranks) }
        var matches = SearchMatches(self.index)
        if isCorrected { matches.addCorrected(word, isWhole: false) } else { matches.add(word, isWhole: false) }
        guard matches.hasAny else { return nil }
        if isKept {
            let cost = matches.ranks.count * MemoryLayout<SearchRank>.stride
            self.index.ranksOfWords.insert(matches.ranks, for: key, cost: cost)
        }
        return matches
    }
}
