import PosterCodec

/// The re-encoding of a variant in its own format or another.
struct Reencoding: Sendable {
    /// Identifies a re-encoding by its result and the format of the variant it replaces.
    struct ID: Hashable, Sendable {
        /// The new variant.
        let key: VariantKey
        /// The format of the replaced variant.
        let format: OutputFormat
    }

    /// The used variant; the new one must be smaller, unless it has the same format and a measured likeness.
    let source: VariantKey
    let sourceTarget: RenderTarget
    /// The new variant; equal to ``source`` if only the encoder's effort changes.
    let key: VariantKey
    let target: RenderTarget
    /// Number of attempts stopped in favour of requests.
    var attempts = 0
    /// The number of uses of ``source``, as a power of two.
    var level = 0

    var id: ID { ID(key: self.key, format: self.source.format) }
}

enum ReencodingOutcome: Sendable {
    /// It replaced a variant; the number of bytes saved, 0 if it is larger.
    case replaced(Int)
    /// It is not used; the size in bytes that the replaced variant must exceed for another attempt.
    case declined(Int)
    case failed
    case dropped
    case gaveWay
}

/// Variants queued for re-encoding, each once, the most used first. A plain value without a lock.
///
/// Every operation is O(1), amortised.
struct ReencodingQueue: Sendable {
    /// Uses are counted in powers of two, up to 2⁸.
    static let levelCount = 9

    /// The entries of one level by arrival number; removed entries leave gaps.
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

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { self.places.count }

    /// Adds a variant, or moves it to a higher level. If the queue is full, drops the first of the least used.
    /// - Returns: Whether the variant is in the queue.
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

    /// Removes and returns the first of the most used.
    mutating func popFirst() -> Reencoding? {
        guard let level = self.levels.lastIndex(where: { !$0.waiting.isEmpty }),
            let next = self.levels[level].popFirst()
        else { return nil }
        self.places[next.id] = nil
        return next
    }
}
