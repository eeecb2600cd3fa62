/// Estimates how often keys were requested recently: a count-min sketch with four rows of 4-bit counters, halved after
/// a number of requests, as in Caffeine (Einziger, Friedman, Manes, "TinyLFU", ACM TOS 13(4), 2017).
///
/// Counters are stored in whole bytes, which does not change the estimates.
struct KeyFrequencies {
    private static let most: UInt8 = 15

    private var counters: [UInt8]
    private let rowLength: Int
    /// Additions between two halvings, and since the last one.
    private let period: Int
    private var additions = 0

    /// - Parameter entryCount: Entries of the cache; there are four counters per row and ten additions for each.
    init(entryCount: Int) {
        var length = 64
        while length < 4 * entryCount { length *= 2 }
        self.rowLength = length
        self.counters = [UInt8](repeating: 0, count: 4 * length)
        self.period = 10 * max(entryCount, 1)
    }

    func frequency(of key: Int) -> UInt8 {
        var least = Self.most
        for row in 0..<4 { least = min(least, self.counters[self.place(of: key, in: row)]) }
        return least
    }

    mutating func add(_ key: Int) {
        var isAdded = false
        for row in 0..<4 {
            let place = self.place(of: key, in: row)
            guard self.counters[place] < Self.most else { continue }
            self.counters[place] += 1
            isAdded = true
        }
        guard isAdded else { return }
        self.additions += 1
        guard self.additions >= self.period else { return }
        for place in self.counters.indices { self.counters[place] >>= 1 }
        self.additions /= 2
    }

    private func place(of key: Int, in row: Int) -> Int {
        let hash = SplitMix.mixed(UInt64(key) &+ UInt64(row + 1) &* 0x9E37_79B9_7F4A_7C15)
        return row * self.rowLength + (Int(truncatingIfNeeded: hash) & (self.rowLength - 1))
    }
}
