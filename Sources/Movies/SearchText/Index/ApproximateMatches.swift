/// Finds the entries of a ``PrefixIndex`` that begin with a pattern but for a few errors.
///
/// An error is a wrong, a missing or an additional key, or two adjacent ones that are swapped (optimal string alignment: Damerau 1964, without changes within a
/// swapped pair). The index is walked as a trie with one row of the distance matrix per key (Ukkonen, "Finding approximate patterns in strings", 1985);
/// a branch ends when no cell of its row is within the limit.
package struct ApproximateMatches {
    /// Longer patterns are not corrected.
    package static let patternLimit = 64
    /// The most ranges of entries that are found; hostile patterns have no more.
    package static let rangeLimit = 20_000

    /// Keys at the beginning that have one error at most: with two of them nearly all texts would have to be looked at.
    package static let firstKeyCount = 3

    /// Entries, and the least number of errors with which they begin with the pattern.
    package typealias Found = (entries: Range<Int>, errors: Int)

    private let index: PrefixIndex
    private let pattern: [SearchKeys.Key]
    private let limit: Int
    private let firstLimit: Int
    /// The scripts of the pattern: a wrong letter is of the same.
    private let scripts: [ClosedRange<SearchKeys.Key>]
    /// Rows of the distance matrix, one after the other.
    private var rows: [UInt8]
    private var found: [Found] = []

    /// - Parameters:
    ///   - limit: The most errors, 1 or 2.
    ///   - isFirstCertain: Whether the first key has none: an error there branches to all texts. Otherwise it has one at most.
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
    ///   - entries: Agree in `depth` keys, the last of which is `previous`.
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
        // What is found already has no more errors than any text below.
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

    /// Blocks of Unicode: Latin and digits; Greek and Cyrillic; what lies between them and kana; kana; kanji; syllables of Hangul; keystrokes.
    private static let scripts: [ClosedRange<SearchKeys.Key>] = [
        0x01...0x36F, 0x370...0x52F, 0x530...0x303F, 0x3040...0x30FF, 0x3100...0xABFF, 0xAC00...0xD7FF, 0xD800...0xDFFF,
        0xE000...0xE0FF, 0xE100...0xFFFF,
    ]

    /// The keys after which there are no more errors than `allowed`, when all of them have been made.
    private func keysWithoutError(_ depth: Int, _ previous: SearchKeys.Key, _ allowed: Int) -> [SearchKeys.Key] {
        var keys: [SearchKeys.Key] = []
        let row = depth * self.width
        for column in self.pattern.indices {
            if Int(self.rows[row + column]) == allowed, !keys.contains(self.pattern[column]) {
                keys.append(self.pattern[column])
            }
            // The second of two swapped keys.
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
