import PosterCodec

/// A variant to be encoded again, in its own format or in another.
struct Reencoding: Sendable {
    /// What is known of one: equal for the same variant in place of the same other.
    struct ID: Hashable, Sendable {
        /// The variant that is made.
        let key: VariantKey
        /// That of the variant whose place it takes.
        let format: OutputFormat
    }

    /// The variant that was used, of which the new one must be a smaller encoding.
    let source: VariantKey
    /// That of ``source``.
    let sourceTarget: RenderTarget
    /// The variant that is made; ``source`` when only the encoder gets more time.
    let key: VariantKey
    /// That of ``key``.
    let target: RenderTarget
    /// How often it has given way to requests.
    var attempts = 0
    /// How often ``source`` was used, as a power of two.
    var level = 0

    var id: ID { ID(key: self.key, format: self.source.format) }
}

/// What came of encoding a variant again.
enum ReencodingOutcome: Sendable {
    /// It took the place of one with more bytes: by so many.
    case replaced(Int)
    case declined
    case failed
    case dropped
    case gaveWay
}

/// Variants that wait to be encoded again, each once, the most used first. A value without a lock.
///
/// Every operation is O(1), over all.
struct ReencodingQueue: Sendable {
    /// Uses are counted in powers of two, up to 2⁸.
    static let levelCount = 9

    /// Those with equally many uses, in the order of their arrival; some places are empty.
    private struct Level {
        var waiting: [UInt64: Reencoding] = [:]
        var first: UInt64 = 0
        var end: UInt64 = 0

        mutating func append(_ reencoding: Reencoding) -> UInt64 {
            defer { self.end += 1 }
            self.waiting[self.end] = reencoding
            return self.end
        }

        mutating func popFirst() -> Reencoding? {
            guard !self.waiting.isEmpty else { return nil }
            while self.first < self.end {
                defer { self.first += 1 }
                if let reencoding = self.waiting.removeValue(forKey: self.first) { return reencoding }
            }
            return nil
        }
    }

    private let limit: Int
    private var levels = [Level](repeating: Level(), count: ReencodingQueue.levelCount)
    private var places: [Reencoding.ID: (level: Int, number: UInt64)] = [:]

    /// - Parameter limit: The most that wait; 0 for none.
    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { self.places.count }

    /// Adds a variant, or moves it forward. When the queue is full, the first of the least used makes room.
    /// - Returns: Whether it waits now.
    @discardableResult
    mutating func insert(_ reencoding: Reencoding) -> Bool {
        let level = min(max(0, reencoding.level), Self.levelCount - 1)
        if let place = self.places[reencoding.id] {
            guard level > place.level else { return true }
            self.levels[place.level].waiting[place.number] = nil
        } else if self.count >= self.limit {
            guard let least = self.levels[..<level].firstIndex(where: { !$0.waiting.isEmpty }),
                let dropped = self.levels[least].popFirst()
            else { return false }
            self.places[dropped.id] = nil
        }
        self.places[reencoding.id] = (level, self.levels[level].append(reencoding))
        return true
    }

    /// Removes the first of the most used.
    mutating func popFirst() -> Reencoding? {
        guard let level = self.levels.lastIndex(where: { !$0.waiting.isEmpty }),
            let next = self.levels[level].popFirst()
        else { return nil }
        self.places[next.id] = nil
        return next
    }
}
