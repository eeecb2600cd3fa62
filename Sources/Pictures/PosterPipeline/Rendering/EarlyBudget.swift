import Synchronization

/// Bounds the originals that are decoded while they arrive, by number and memory. Safe from any thread.
///
/// A place belongs to its render until that releases it. One for which nothing has arrived for
/// ``ArrivalPace/longestPause`` is given to the next.
final class EarlyBudget: Sendable {
    /// The places for each codec thread.
    static let placesPerThread = 4

    /// The most originals.
    let countLimit: Int
    /// The most memory of their bytes and decoders together.
    let byteLimit: Int
    private let places = Mutex<[ObjectIdentifier: Place]>([:])

    private struct Place {
        /// Releases the place at its end.
        weak var render: EarlyRender?
        var bytes: Int
    }

    init(countLimit: Int, byteLimit: Int) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// What is taken.
    var usage: (count: Int, bytes: Int) {
        self.places.withLock { places in (places.count, places.values.reduce(0) { $0 + $1.bytes }) }
    }

    /// Gives a render memory, beside what it has.
    /// - Returns: false when there is none.
    func take(_ bytes: Int, for render: EarlyRender, at now: UInt64) -> Bool {
        if self.take(bytes, for: render) { return true }
        let others = self.places.withLock { $0.values.compactMap(\.render) }
        for other in others where other !== render && other.isStalled(at: now) { other.end() }
        return self.take(bytes, for: render)
    }

    /// Takes back all memory of a render.
    func release(_ render: ObjectIdentifier) {
        let place = self.places.withLock { $0.removeValue(forKey: render) }
        withExtendedLifetime(place) {}
    }

    private func take(_ bytes: Int, for render: EarlyRender) -> Bool {
        let key = ObjectIdentifier(render)
        return self.places.withLock { places in
            let taken = places.values.reduce(0) { $0 + $1.bytes }
            guard places[key] != nil || places.count < self.countLimit, bytes <= self.byteLimit - taken else {
                return false
            }
            places[key, default: Place(render: render, bytes: 0)].bytes += bytes
            return true
        }
    }
}
