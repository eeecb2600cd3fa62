/// An index of the words in many texts, sorted by their keys: finds the texts with a word that begins with a pattern,
/// exactly or with errors.
///
/// All texts share one buffer. An entry takes 9 bytes, a key 2.
package struct PrefixIndex: Sendable {
    package typealias Key = SearchKeys.Key

    /// All texts, each followed by ``SearchKeys/end``.
    private var keys: [Key] = []
    /// Offsets of entries in ``keys``.
    private var positions: [UInt32] = []
    @usableFromInline package private(set) var values: [UInt32] = []
    /// The lengths of the entries' texts in keys, at most 255.
    @usableFromInline package private(set) var textLengths: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { self.positions.isEmpty }
    package var count: Int { self.positions.count }
    package var byteCount: Int { 2 * self.keys.capacity + 8 * self.positions.capacity + self.textLengths.capacity }

    /// Adds a text, which can be found after the next ``sort()``.
    /// - Parameter starts: Offsets in the text with the values to return for them.
    package mutating func add(_ text: [Key], starts: some Sequence<(offset: Int, value: UInt32)>) {
        let first = self.keys.count
        for (offset, value) in starts {
            self.positions.append(UInt32(first + offset))
            self.values.append(value)
            self.textLengths.append(UInt8(min(text.count, 255)))
        }
        self.keys += text
        self.keys.append(SearchKeys.end)
    }

    package mutating func sort() {
        let (positions, values, lengths) = (self.positions, self.values, self.textLengths)
        var order = Array(0..<UInt32(positions.count))
        self.keys.withUnsafeBufferPointer { keys in
            positions.withUnsafeBufferPointer { positions in
                order.sort { Self.precedes(keys, Int(positions[Int($0)]), Int(positions[Int($1)])) }
            }
        }
        self.positions = order.map { positions[Int($0)] }
        self.values = order.map { values[Int($0)] }
        self.textLengths = order.map { lengths[Int($0)] }
        // Drops spare capacity.
        self.keys = Array(self.keys[...])
    }

    private static func precedes(_ keys: UnsafeBufferPointer<Key>, _ left: Int, _ right: Int) -> Bool {
        var (left, right) = (left, right)
        while keys[left] == keys[right] {
            if keys[left] == SearchKeys.end { return left < right }
            left += 1
            right += 1
        }
        return keys[left] < keys[right]
    }

    /// The entries that begin with a pattern.
    package func entries(beginningWith pattern: [Key]) -> Range<Int> {
        var range = 0..<self.positions.count
        for (depth, key) in pattern.enumerated() where !range.isEmpty {
            range = self.entries(in: range, with: key, at: depth)
        }
        return range
    }

    /// - Parameter body: Receives the value with which the text was added, and the text's length in keys, at most 255.
    @inlinable
    package func forEach(_ entries: Range<Int>, _ body: (UInt32, Int) -> Void) {
        self.values.withUnsafeBufferPointer { values in
            self.textLengths.withUnsafeBufferPointer { lengths in
                for entry in entries { body(values[entry], Int(lengths[entry])) }
            }
        }
    }

    /// The entries of `range`, which share their first `depth` keys, with `key` as the next.
    func entries(in range: Range<Int>, with key: Key, at depth: Int) -> Range<Int> {
        let low = self.first(in: range, at: depth) { $0 >= key }
        return low..<self.first(in: low..<range.upperBound, at: depth) { $0 > key }
    }

    /// Like ``entries(in:with:at:)``, for a range of keys.
    func entries(in range: Range<Int>, within keys: ClosedRange<Key>, at depth: Int) -> Range<Int> {
        let low = self.first(in: range, at: depth) { $0 >= keys.lowerBound }
        return low..<self.first(in: low..<range.upperBound, at: depth) { $0 > keys.upperBound }
    }

    /// Like ``entries(in:with:at:)``, but by exponential search from the first entry, which must have the key.
    func entries(startingIn range: Range<Int>, with key: Key, at depth: Int) -> Range<Int> {
        var (step, last) = (1, range.lowerBound)
        while last + step < range.upperBound, self.key(of: last + step, at: depth) == key {
            last += step
            step *= 2
        }
        let rest = last + 1..<min(last + step, range.upperBound)
        return range.lowerBound..<(rest.isEmpty ? last + 1 : self.first(in: rest, at: depth) { $0 > key })
    }

    func key(of entry: Int, at depth: Int) -> Key { self.keys[Int(self.positions[entry]) + depth] }

    private func first(in range: Range<Int>, at depth: Int, where holds: (Key) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) >> 1
            if holds(self.key(of: middle, at: depth)) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
