import Synchronization

/// Bounds the originals that are decoded while they arrive, by number and memory. Safe from any thread.
///
/// A render holds its place until it releases it. A render that has received nothing for ``ArrivalPace/longestPause``
/// is ended if another one needs its place.
final class EarlyBudget: Sendable {
    static let placesPerThread = 4

    let countLimit: Int
    /// Maximum memory of their bytes and decoders, in bytes.
    let byteLimit: Int
    private let places = Mutex<[ObjectIdentifier: Place]>([:])

    private struct Place {
        /// Weak: the render releases its place when it is deallocated.
        weak var render: EarlyRender?
        var bytes: Int
    }

    init(countLimit: Int, byteLimit: Int) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    var usage: (count: Int, bytes: Int) {
        self.places.withLock { places in (places.count, places.values.reduce(0) { $0 + $1.bytes }) }
    }

    /// Charges a render for further memory.
    /// - Returns: Whether there was room.
    func take(_ bytes: Int, for render: EarlyRender, at now: UInt64) -> Bool {
        if self.take(bytes, for: render) { return true }
        let others = self.places.withLock { $0.values.compactMap(\.render) }
        for other in others where other !== render && other.isStalled(at: now) { other.end() }
        return self.take(bytes, for: render)
    }

    /// Releases the place and all memory of a render.
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
