/// Values by the bytes that they were made of, in so many places: what is new takes the place of what was there.
///
/// Bounded, and found or not found in one look, however many there are. What is asked for often comes back at once when
/// it has been replaced; that is all the order there is.
struct DirectMappedCache<Value> {
    private struct Entry {
        let key: [UInt8]
        let value: Value
    }

    private var entries: [Entry?]

    /// - Parameter slotCount: A power of two.
    init(slotCount: Int) {
        precondition(slotCount > 0 && slotCount & (slotCount - 1) == 0, "slotCount must be a power of two")
        self.entries = Array(repeating: nil, count: slotCount)
    }

    /// - Parameter key: The bytes in `range`.
    /// - Returns: The value and its place; nil and the place that it would have.
    func find(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (value: Value?, place: Int) {
        var hasher = Hasher()
        bytes.extracting(range).bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        let place = hasher.finalize() & (self.entries.count - 1)
        guard let entry = self.entries[place], entry.key.count == range.count else { return (nil, place) }
        for index in entry.key.indices where entry.key[index] != bytes[range.lowerBound + index] { return (nil, place) }
        return (entry.value, place)
    }

    mutating func store(_ value: Value, for key: [UInt8], at place: Int) {
        self.entries[place] = Entry(key: key, value: value)
    }
}
