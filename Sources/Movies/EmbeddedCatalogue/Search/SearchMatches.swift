import SearchText

/// The films that match a word or a whole query, with their ranks.
struct SearchMatches {
    private let index: FilmSearchIndex
    private(set) var ranks: [SearchRank]
    private(set) var hasAny = false

    init(_ index: FilmSearchIndex) {
        self.index = index
        self.ranks = Array(repeating: .none, count: index.count)
    }

    /// - Parameter ranks: By film; at least one is not ``SearchRank/none``.
    init(_ index: FilmSearchIndex, _ ranks: [SearchRank]) {
        (self.index, self.ranks, self.hasAny) = (index, ranks, true)
    }

    /// Whether a title, a word or a name begins with the query.
    var hasBeginnings: Bool { self.hasAny && self.ranks.contains { !$0.isNone && $0.isBeginning } }

    /// Whether all of the query is in a title, in names, or in both.
    var hasTitlesOrNames: Bool { self.hasAny && self.ranks.contains { !$0.isNone && $0.isOfTitleOrName } }

    /// - Returns: At most `limit` films, the best first; equal ones by popularity.
    func best(_ limit: Int) -> [Int] {
        guard self.hasAny else { return [] }
        if self.ranks.count <= limit {
            return self.ranks.indices.filter { !self.ranks[$0].isNone }.sorted {
                (self.ranks[$0], $0) < (self.ranks[$1], $1)
            }
        }
        // There are few ranks and many films: counting them avoids sorting all films.
        var counts: [Int32] = Array(repeating: 0, count: Int(UInt16.max))
        for rank in self.ranks where !rank.isNone { counts[Int(rank.number)] += 1 }
        var rest = limit
        let last = counts.indices.first { number in
            rest -= Int(counts[number])
            return rest <= 0
        }
        var left = Int(last.map { Int(counts[$0]) + rest } ?? 0)
        var found: [(rank: SearchRank, film: Int)] = []
        for (film, rank) in self.ranks.enumerated() where !rank.isNone && Int(rank.number) <= last ?? Int.max {
            if Int(rank.number) == last {
                guard left > 0 else { continue }
                left -= 1
            }
            found.append((rank, film))
        }
        found.sort { ($0.rank, $0.film) < ($1.rank, $1.film) }
        return found.map(\.film)
    }

    /// Adds exact matches of a text.
    ///
    /// - Parameter isWhole: Whether the text is the whole query, which is also compared with whole titles.
    mutating func add(_ text: FoldedText, isWhole: Bool) {
        let keys = SearchKeys(text).keys
        // Hangul keystrokes also match the beginning of a syllable.
        let hasHangul = keys.count != text.scalars.count
        if hasHangul {
            let letters = SearchKeys(letters: text).keys
            let entries = self.index.letters.entries(beginningWith: letters)
            self.add(entries, of: self.index.letters, letters.count, 0, isWhole: isWhole)
        }
        let entries = self.index.texts.entries(beginningWith: keys)
        self.add(entries, of: self.index.texts, keys.count, 0, isWhole: isWhole, isUnfinished: hasHangul)
    }

    /// Adds titles with syllables that begin with these consonants.
    mutating func addInitials(_ text: FoldedText) {
        guard text.scalars.count > 1, text.scalars.allSatisfy({ FilmSearchIndex.isInitial($0) }) else { return }
        let keys = SearchKeys(text)
        let entries = self.index.initials.entries(beginningWith: keys.keys)
        self.add(entries, of: self.index.initials, keys.keys.count, 0, isWhole: true)
    }

    /// Adds titles with the same sound.
    mutating func addSound(_ text: FoldedText, errors: Int) {
        guard let keys = SoundKeys.keys(of: text)?.keys else { return }
        self.add(keys, in: self.index.sounds, errors: errors, isWhole: true)
    }

    /// Adds matches of a text typed with the keyboard set to the other language.
    mutating func addOtherLayout(_ typed: String, _ text: FoldedText) {
        if let hangul = KeyboardLayout.hangul(typed: typed) {
            self.add(hangul.keys, in: self.index.texts, errors: 0, isWhole: true)
            // Capitals may come from the start of a sentence or from caps lock.
            if let plain = KeyboardLayout.hangul(typed: typed.lowercased()), plain != hangul {
                self.add(plain.keys, in: self.index.texts, errors: 0, isWhole: true)
            }
        } else if let latin = KeyboardLayout.latin(typed: text) {
            self.add(latin, isWhole: true)
        }
    }

    /// Adds matches of a misspelt text.
    mutating func addCorrected(_ text: FoldedText, isWhole: Bool) {
        let isUnspaced = text.scalars.contains { FoldedText.isUnspaced($0) }
        let hasHangul = text.scalars.contains { HangulKeystrokes.keys(of: $0) != nil }
        if !isUnspaced || hasHangul {
            let keys = SearchKeys(text).keys
            self.add(keys, in: self.index.texts, errors: Self.errors(in: keys.count), isWhole: isWhole)
        }
        guard isUnspaced, text.scalars.count > 2 else { return }
        // An error in a syllable may be several errors in its keystrokes.
        let letters = SearchKeys(letters: text).keys
        let texts = hasHangul ? self.index.letters : self.index.texts
        self.add(letters, in: texts, errors: 1, isWhole: isWhole, isFirstCertain: true)
        // Each letter of these scripts is an entry: the text after a wrong first letter is found exactly.
        let rest = Array(letters.dropFirst())
        self.add(
            texts.entries(beginningWith: rest), of: texts, rest.count, 1, isWhole: isWhole)
    }

    /// In short words, an error makes a different word.
    private static func errors(in count: Int) -> Int { count < 4 ? 0 : count < 7 ? 1 : 2 }

    private mutating func add(
        _ keys: [SearchKeys.Key], in texts: PrefixIndex, errors: Int, isWhole: Bool, isFirstCertain: Bool = false
    ) {
        guard errors > 0 else {
            let entries = texts.entries(beginningWith: keys)
            self.add(entries, of: texts, keys.count, 0, isWhole: isWhole)
            return
        }
        for found in ApproximateMatches.find(
            keys, errors: errors, in: texts, isFirstCertain: isFirstCertain)
        {
            self.add(found.entries, of: texts, keys.count, found.errors, isWhole: isWhole)
        }
    }

    private mutating func add(
        _ entries: Range<Int>, of texts: PrefixIndex, _ length: Int, _ errors: Int, isWhole: Bool,
        isUnfinished: Bool = false
    ) {
        guard !entries.isEmpty else { return }
        self.hasAny = true
        let index = self.index
        let rank = { SearchRank($0, errors: errors, isUnfinished: isUnfinished) }
        let title = isWhole && !isUnfinished ? rank(.title) : isWhole ? rank(.beginningOfTitle) : rank(.wordsOfTitle)
        let (beginning, word) = (isWhole ? rank(.beginningOfTitle) : rank(.wordsOfTitle), rank(.wordsOfTitle))
        let (inside, character, genre) = (rank(.insideTitle), rank(.character), rank(.genre))
        let (director, cast) = (rank(.director), rank(.cast))
        let (insideDirector, insideCast) = (rank(.insideDirector), rank(.insideCast))
        self.ranks.withUnsafeMutableBufferPointer { ranks in
            texts.forEach(entries) { number, textLength in
                let value = FilmSearchIndex.Value(number)
                let rest = isWhole ? abs(textLength - length) : 0
                switch value.part {
                case .title: ranks.note((rest <= errors ? title : beginning).with(rest: rest), value.owner)
                case .wordOfTitle: ranks.note(word.with(rest: rest), value.owner)
                case .insideTitle: ranks.note(inside.with(rest: rest), value.owner)
                case .character: ranks.note(character, value.owner)
                case .person: ranks.note(director, cast, index.films(of: value.owner))
                case .insideName: ranks.note(insideDirector, insideCast, index.films(of: value.owner))
                case .genre: ranks.note(genre, genre, index.films(of: value.owner))
                }
            }
        }
    }

    /// Adds all films of the given years; `nil` for all years.
    mutating func addFilms(of years: ClosedRange<Int>?) {
        let rank = SearchRank(.year)
        for film in self.ranks.indices where rank < self.ranks[film] {
            if let years, !years.contains(Int(self.index.years[film])) { continue }
            self.ranks[film] = rank
            self.hasAny = true
        }
    }

    mutating func add(_ other: Self) {
        guard other.hasAny else { return }
        guard self.hasAny else {
            self = other
            return
        }
        for (film, rank) in other.ranks.enumerated() where rank < self.ranks[film] { self.ranks[film] = rank }
        self.hasAny = true
    }

    mutating func narrow(to years: ClosedRange<Int>) {
        guard self.hasAny else { return }
        for film in self.ranks.indices where !years.contains(Int(self.index.years[film])) { self.ranks[film] = .none }
        self.hasAny = self.ranks.contains { !$0.isNone }
    }

    mutating func narrow(to categories: [FilmCategory]) {
        guard self.hasAny else { return }
        var isIn = [Bool](repeating: false, count: self.ranks.count)
        for film in categories.flatMap({ self.index.films(in: $0) }) { isIn[Int(film)] = true }
        for film in self.ranks.indices where !isIn[film] { self.ranks[film] = .none }
        self.hasAny = self.ranks.contains { !$0.isNone }
    }

    /// Keeps only the films that `other` contains.
    mutating func narrow(by other: Self) {
        self.hasAny = false
        for film in self.ranks.indices where !self.ranks[film].isNone {
            self.ranks[film] = self.ranks[film].joined(with: other.ranks[film])
            if !self.ranks[film].isNone { self.hasAny = true }
        }
    }
}

extension UnsafeMutableBufferPointer<SearchRank> {
    fileprivate func note(_ rank: SearchRank, _ film: Int) {
        if rank < self[film] { self[film] = rank }
    }

    fileprivate func note(_ director: SearchRank, _ cast: SearchRank, _ films: ArraySlice<UInt32>) {
        for film in films { self.note(film & 1 == 0 ? director : cast, Int(film >> 1)) }
    }
}
