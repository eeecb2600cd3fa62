/// Where words begin in many texts, sorted by what follows: finds the texts in which a pattern begins a word, literally or with errors.
///
/// All texts lie in one buffer; an entry of the index takes 10 bytes, a key 2.
package struct PrefixIndex: Sendable {
    package typealias Key = SearchKeys.Key

    /// Texts one after the other, each with ``SearchKeys/end`` behind it.
    private var keys: [Key] = []
    /// Into ``keys``.
    private var positions: [UInt32] = []
    @usableFromInline package private(set) var values: [UInt32] = []
    /// Of texts, in keys; 255 stands for more.
    @usableFromInline package private(set) var textLengths: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { self.positions.isEmpty }
    /// Of entries.
    package var count: Int { self.positions.count }
    /// Of all arrays, in bytes.
    package var byteCount: Int { 2 * self.keys.capacity + 8 * self.positions.capacity + self.textLengths.capacity }

    /// Adds a text; ``sort()`` makes it findable.
    /// - Parameter starts: Offsets into the text and the values to return for them.
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
        // Without the room to grow.
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

    /// - Parameter body: Takes the value that the text was added with, and the text's length in keys, where 255 stands for more.
    @inlinable
    package func forEach(_ entries: Range<Int>, _ body: (UInt32, Int) -> Void) {
        self.values.withUnsafeBufferPointer { values in
            self.textLengths.withUnsafeBufferPointer { lengths in
                for entry in entries { body(values[entry], Int(lengths[entry])) }
            }
        }
    }

    /// Of the entries of `range`, which agree in `depth` keys, those with `key` next.
    func entries(in range: Range<Int>, with key: Key, at depth: Int) -> Range<Int> {
        let low = self.first(in: range, at: depth) { $0 >= key }
        return low..<self.first(in: low..<range.upperBound, at: depth) { $0 > key }
    }

    /// As ``entries(in:with:at:)``, with keys of a range.
    func entries(in range: Range<Int>, within keys: ClosedRange<Key>, at depth: Int) -> Range<Int> {
        let low = self.first(in: range, at: depth) { $0 >= keys.lowerBound }
        return low..<self.first(in: low..<range.upperBound, at: depth) { $0 > keys.upperBound }
    }

    /// As ``entries(in:with:at:)``, when the first entry has the key: searched from there in steps that double.
    func entries(startingIn range: Range<Int>, with key: Key, at depth: Int) -> Range<Int> {
        var (step, last) = (1, range.lowerBound)
        while last + step < range.upperBound, self.key(of: last + step, at: depth) == key {
            last += step
            step *= 2
        }
        let rest = last + 1..<min(last + step, range.upperBound)
        return range.lowerBound..<(rest.isEmpty ? last + 1 : self.first(in: rest, at: depth) { $0 > key })
    }

    /// The key of an entry after `depth` others.
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
