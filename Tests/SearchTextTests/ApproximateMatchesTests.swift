import Testing

@testable import SearchText

struct ApproximateMatchesTests {
    /// Optimal string alignment distance of a pattern to the best prefix of a text, by definition.
    private static func distance(_ pattern: [SearchKeys.Key], _ text: [SearchKeys.Key]) -> Int {
        var rows = [Array(0...pattern.count)]
        for (place, key) in text.enumerated() {
            var row = [place + 1]
            for column in pattern.indices {
                var cell = rows[place][column] + (pattern[column] == key ? 0 : 1)
                cell = min(cell, rows[place][column + 1] + 1, row[column] + 1)
                if place > 0, column > 0, pattern[column] == text[place - 1], pattern[column - 1] == key {
                    cell = min(cell, rows[place - 1][column - 1] + 1)
                }
                row.append(cell)
            }
            rows.append(row)
        }
        return rows.map { $0[pattern.count] }.min() ?? pattern.count
    }

    /// Deterministic words from a linear congruential generator.
    private static func words(_ count: Int, seed: UInt64, letters: UInt64, length: Int) -> [[SearchKeys.Key]] {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        return (0..<count).map { _ in
            (0..<(3 + Int(next()) % length)).map { _ in SearchKeys.Key(97 + next() % letters) }
        }
    }

    private static func index(_ texts: [[SearchKeys.Key]]) -> PrefixIndex {
        var index = PrefixIndex()
        for (number, text) in texts.enumerated() { index.add(text, starts: [(offset: 0, value: UInt32(number))]) }
        index.sort()
        return index
    }

    private static func errors(
        _ pattern: [SearchKeys.Key], _ limit: Int, _ index: PrefixIndex, isFirstCertain: Bool = false
    ) -> [UInt32: Int] {
        var found: [UInt32: Int] = [:]
        let matches = ApproximateMatches.find(pattern, errors: limit, in: index, isFirstCertain: isFirstCertain)
        for match in matches {
            index.forEach(match.entries) { text, _ in found[text] = min(found[text] ?? .max, match.errors) }
        }
        return found
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func oneErrorIsFoundWhereverItIs(seed: UInt64) {
        let texts = Self.words(800, seed: seed, letters: 5, length: 8)
        let index = Self.index(texts)
        for pattern in Self.words(60, seed: seed + 100, letters: 5, length: 6) {
            let found = Self.errors(pattern, 1, index)
            for (number, text) in texts.enumerated() {
                let distance = Self.distance(pattern, text)
                #expect(found[UInt32(number)] == (distance <= 1 ? distance : nil), "\(pattern) in \(text)")
            }
        }
    }

    @Test(arguments: [UInt64(4), 5])
    func twoErrorsAreFoundUnlessBothAreAtTheBeginning(seed: UInt64) {
        let texts = Self.words(600, seed: seed, letters: 6, length: 9)
        let index = Self.index(texts)
        for pattern in Self.words(40, seed: seed + 100, letters: 6, length: 8) {
            let found = Self.errors(pattern, 2, index)
            for (number, text) in texts.enumerated() {
                let distance = Self.distance(pattern, text)
                if let errors = found[UInt32(number)] { #expect(errors <= 2 && errors >= distance) }
                let isWithoutErrorAtFirst = pattern.starts(with: text.prefix(ApproximateMatches.firstKeyCount))
                if distance <= 2, isWithoutErrorAtFirst { #expect(found[UInt32(number)] == distance) }
            }
        }
    }

    @Test func aFirstKeyThatIsCertainIsNotCorrected() {
        let index = Self.index(["metro", "netro", "mtero"].map { SearchKeys(FoldedText($0)).keys })
        let pattern = SearchKeys(FoldedText("metro")).keys
        #expect(Self.errors(pattern, 1, index).count == 3)
        #expect(Self.errors(pattern, 1, index, isFirstCertain: true) == [0: 0, 2: 1])
    }

    @Test func emptyAndLongPatternsAreNotCorrected() {
        let index = Self.index([Array(repeating: 97, count: 100)])
        #expect(ApproximateMatches.find([], errors: 2, in: index).isEmpty)
        let long = Array(repeating: SearchKeys.Key(97), count: ApproximateMatches.patternLimit + 1)
        #expect(ApproximateMatches.find(long, errors: 2, in: index).isEmpty)
        #expect(ApproximateMatches.find([97], errors: 1, in: PrefixIndex()).isEmpty)
    }

    @Test func aPrefixIsFoundAsItIsWritten() {
        let texts = Self.words(500, seed: 9, letters: 4, length: 6)
        let index = Self.index(texts)
        for pattern in Self.words(60, seed: 10, letters: 4, length: 1) {
            var found: Set<UInt32> = []
            index.forEach(index.entries(beginningWith: pattern)) { text, _ in found.insert(text) }
            #expect(found == Set(texts.indices.filter { texts[$0].starts(with: pattern) }.map { UInt32($0) }))
        }
    }
}
