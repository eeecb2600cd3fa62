/// Finds the entries of a ``PrefixIndex`` that begin with a pattern, with a few errors.
///
/// An error is a wrong, missing or additional key, or a swap of two adjacent keys (optimal string alignment: Damerau
/// 1964, without changes within a swapped pair). The index is walked as a trie with one row of the distance matrix per
/// key (Ukkonen, "Finding approximate patterns in strings", 1985); a branch ends when no cell of its row is within the
/// limit.
package struct ApproximateMatches {
    /// The maximal length of a pattern; longer ones have no matches.
    package static let patternLimit = 64
    /// The maximal number of found ranges, which bounds hostile patterns.
    package static let rangeLimit = 20_000

    /// The number of leading keys with at most one error: two errors there would require a walk of nearly all texts.
    package static let firstKeyCount = 3

    /// A range of entries, and the minimal number of errors with which they begin with the pattern.
    package typealias Found = (entries: Range<Int>, errors: Int)

    private let index: PrefixIndex
    private let pattern: [SearchKeys.Key]
    private let limit: Int
    private let firstLimit: Int
    /// The scripts of the pattern: wrong letters are assumed to be of the same scripts.
    private let scripts: [ClosedRange<SearchKeys.Key>]
    /// The rows of the distance matrix, concatenated.
    private var rows: [UInt8]
    private var found: [Found] = []

    /// - Parameters:
    ///   - limit: The maximal number of errors, 1 or 2.
    ///   - isFirstCertain: Whether the first key must match exactly; an error there branches to all texts. Otherwise it
    ///     has at most one error.
    package static func find(
        _ pattern: [SearchKeys.Key], errors limit: Int, in index: PrefixIndex, isFirstCertain: Bool = false
    ) -> [Found] {
        guard !pattern.isEmpty, pattern.count <= self.patternLimit, limit > 0, !index.isEmpty else { return [] }
        var matches = ApproximateMatches(index, pattern, limit, isFirstCertain)
        matches.walk(0..<index.count, depth: 0, previous: SearchKeys.end)
        return matches.found
    }

    private init(_ index: PrefixIndex, _ pattern: [SearchKeys.Key], _ limit: Int, _ isFirstCertain: Bool) {
        (self.index, self.pattern, self.limit) = (index, pattern, limit)
        self.firstLimit = isFirstCertain ? 0 : 1
        self.scripts = Self.scripts.filter { script in pattern.contains { script.contains($0) } }
        let width = pattern.count + 1
        self.rows = Array(repeating: UInt8(limit + 1), count: width * (pattern.count + limit + 1))
        for column in 0..<width { self.rows[column] = UInt8(min(column, limit + 1)) }
    }

    private var width: Int { self.pattern.count + 1 }

    /// - Parameters:
    ///   - entries: Entries with the same first `depth` keys; `previous` is the last of these.
    private mutating func walk(_ entries: Range<Int>, depth: Int, previous: SearchKeys.Key) {
        let row = depth * self.width
        let errors = Int(self.rows[row + self.pattern.count])
        if errors <= self.limit {
            guard self.found.count < Self.rangeLimit else { return }
            self.found.append((entries, errors))
        }
        guard depth < self.pattern.count + self.limit else { return }
        let allowed = depth < Self.firstKeyCount ? min(depth == 0 ? self.firstLimit : 1, self.limit) : self.limit
        let least = Int(self.rows[row..<row + self.width].min() ?? 0)
        // The found range already has at most as many errors as any text below.
        guard least <= allowed, least < errors || errors > self.limit else { return }
        if least < allowed {
            self.walkAll(entries, depth, previous, allowed)
        } else {
            for key in self.keysWithoutError(depth, previous, allowed) {
                let next = self.index.entries(in: entries, with: key, at: depth)
                if !next.isEmpty, self.step(key, depth, previous, allowed) {
                    self.walk(next, depth: depth + 1, previous: key)
                }
            }
        }
    }

    private mutating func walkAll(_ entries: Range<Int>, _ depth: Int, _ previous: SearchKeys.Key, _ allowed: Int) {
        for script in self.scripts {
            var rest = self.index.entries(in: entries, within: script, at: depth)
            while !rest.isEmpty {
                let key = self.index.key(of: rest.lowerBound, at: depth)
                let next = self.index.entries(startingIn: rest, with: key, at: depth)
                if self.step(key, depth, previous, allowed) { self.walk(next, depth: depth + 1, previous: key) }
                rest = next.upperBound..<rest.upperBound
            }
        }
    }

    /// Unicode blocks: Latin and digits; Greek and Cyrillic; blocks up to kana; kana; kanji and others; Hangul
    /// syllables; letters outside the basic multilingual plane; keystrokes; the rest.
    private static let scripts: [ClosedRange<SearchKeys.Key>] = [
        0x01...0x36F, 0x370...0x52F, 0x530...0x303F, 0x3040...0x30FF, 0x3100...0xABFF, 0xAC00...0xD7FF, 0xD800...0xDFFF,
        0xE000...0xE0FF, 0xE100...0xFFFF,
    ]

    /// The keys that keep the number of errors within `allowed`, if every cell of the row has at least that many.
    private func keysWithoutError(_ depth: Int, _ previous: SearchKeys.Key, _ allowed: Int) -> [SearchKeys.Key] {
        var keys: [SearchKeys.Key] = []
        let row = depth * self.width
        for column in self.pattern.indices {
            if Int(self.rows[row + column]) == allowed, !keys.contains(self.pattern[column]) {
                keys.append(self.pattern[column])
            }
            // The second key of a swapped pair.
            if depth > 0, column + 1 < self.pattern.count, self.pattern[column + 1] == previous,
                Int(self.rows[row - self.width + column]) + 1 <= allowed, !keys.contains(self.pattern[column])
            {
                keys.append(self.pattern[column])
            }
        }
        return keys
    }

    /// Computes the next row.
    /// - Returns: Whether one of its cells is within the limit.
    private mutating func step(
        _ key: SearchKeys.Key, _ depth: Int, _ previous: SearchKeys.Key, _ allowed: Int
    ) -> Bool {
        let (row, next) = (depth * self.width, (depth + 1) * self.width)
        let bound = UInt8(self.limit + 1)
        self.rows[next] = min(bound, self.rows[row] + 1)
        var least = self.rows[next]
        for column in self.pattern.indices {
            let isEqual = self.pattern[column] == key
            var cell = self.rows[row + column] + (isEqual ? 0 : 1)
            cell = min(cell, self.rows[row + column + 1] + 1, self.rows[next + column] + 1)
            if depth > 0, column > 0, self.pattern[column - 1] == key, self.pattern[column] == previous {
                cell = min(cell, self.rows[row - self.width + column - 1] + 1)
            }
            cell = min(cell, bound)
            self.rows[next + column + 1] = cell
            least = min(least, cell)
        }
        return least <= allowed
    }
}
