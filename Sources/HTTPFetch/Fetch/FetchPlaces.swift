import Synchronization

/// How many fetches there are, of all origins together.
///
/// Under the lock: two counts.
final class FetchPlaces: Sendable {
    /// One fetch's place: among those that wait, then among those under way.
    final class Place: Sendable {
        private let places: FetchPlaces
        private let hasStarted = Atomic(false)

        fileprivate init(_ places: FetchPlaces) {
            self.places = places
        }

        /// It is its turn.
        ///
        /// - Throws: ``FetchError/overloaded(retryAfter:)``.
        func start() throws(FetchError) {
            try self.places.start()
            self.hasStarted.store(true, ordering: .relaxed)
        }

        fileprivate func leave() {
            self.places.leave(hasStarted: self.hasStarted.load(ordering: .relaxed))
        }
    }

    private struct Counts {
        var waiting = 0
        var underWay = 0
    }

    private let maxWaiting: Int
    private let maxUnderWay: Int
    private let counts = Mutex(Counts())

    init(_ configuration: FetchConfiguration) {
        self.maxWaiting = max(1, configuration.maxWaiting)
        self.maxUnderWay = configuration.maxTransfers
    }

    /// Runs a fetch that waits at first.
    ///
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` without having run it; what `fetch` throws.
    func withPlace(_ fetch: (Place) async throws -> FetchResponse) async throws -> FetchResponse {
        try self.counts.withLock { counts throws(FetchError) in
            guard counts.waiting < self.maxWaiting else { throw .overloaded(retryAfter: Origin.leastWait) }
            counts.waiting += 1
        }
        let place = Place(self)
        defer { place.leave() }
        return try await fetch(place)
    }

    private func start() throws(FetchError) {
        try self.counts.withLock { counts throws(FetchError) in
            guard counts.underWay < self.maxUnderWay else { throw .overloaded(retryAfter: Origin.leastWait) }
            counts.waiting -= 1
            counts.underWay += 1
        }
    }

    private func leave(hasStarted: Bool) {
        self.counts.withLock { counts in
            if hasStarted { counts.underWay -= 1 } else { counts.waiting -= 1 }
        }
    }
}
