import BoundedCache
import Flights
import HTTPSemantics
import MovieDomain
import PosterAPI
import PosterPipeline
import Synchronization

/// The scores of films for badges, cached in memory by the film's age and looked up once for concurrent requests.
///
/// Stale scores are returned at once while they are renewed, and as long as the sources fail.
final class FilmBadgeScores: BadgeScoreSource {
    /// Maximum number of cached films, about 500 bytes each.
    private static let filmLimit = 16_384
    /// Maximum number of look-ups at other sites at once, more than a page's 48 films.
    static let lookUpLimit = 64
    /// Maximum number of look-ups that wait for others. Films beyond it have no scores yet.
    private static let queueLimit = 1024

    /// A film, and whether scores of other sites than its source's are wanted.
    private struct Key: Hashable {
        let film: MovieID
        let includesOthers: Bool

        init?(_ id: PosterID, _ sources: [BadgeSource]) {
            guard let film = MoviePictureID(id)?.film else { return nil }
            self.film = film
            self.includesOthers = !sources.allSatisfy(\.isOwn)
        }
    }

    private struct TimedOut: Error {}

    private let find: FindScores
    private let titles: RequestedTitles
    private let timeout: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let now: @Sendable () -> Instant
    /// The number of changed scores in ``entries``.
    private let changes = Atomic<UInt64>(0)
    private let entries = BoundedCache<Key, StoredScores>(countLimit: FilmBadgeScores.filmLimit)
    private let flights = SingleFlight<Key, BadgeScores>()
    private let turns: WeightedSemaphore
    /// Look-ups without clients; after a cancellation, their requests would be repeated later.
    private let lookUps = BackgroundTasks<Key, Key>(
        limit: FilmBadgeScores.queueLimit, overflow: .ignoresNew, priority: .medium)
    /// Scores of look-ups in progress that wait for further sources.
    private let partial = Mutex<[Key: BadgeScores]>([:])

    /// - Parameters:
    ///   - titles: The known IMDb titles of films.
    ///   - timeout: How long a poster waits for its scores.
    ///   - sleep: Waits for `timeout`.
    init(
        _ find: FindScores, titles: RequestedTitles, timeout: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        now: @escaping @Sendable () -> Instant
    ) {
        self.find = find
        self.titles = titles
        self.timeout = timeout
        self.sleep = sleep
        self.now = now
        self.turns = WeightedSemaphore(
            WeightedSemaphore.Limits(count: Self.lookUpLimit, queue: Self.queueLimit), now: Uptime.nanoseconds)
    }

    func isOfFilm(_ id: PosterID) -> Bool { MoviePictureID(id) != nil }

    var version: UInt64 {
        self.changes.load(ordering: .acquiring) << 32 | UInt64(UInt32(truncatingIfNeeded: self.now().secondsSince1970))
    }

    func knownScores(of id: PosterID, from sources: [BadgeSource]) -> BadgeScores? {
        Key(id, sources).flatMap(self.known)
    }

    func scores(of id: PosterID, from sources: [BadgeSource]) async throws -> BadgeScores {
        guard let key = Key(id, sources) else { return BadgeScores([:], isCurrent: true) }
        if let known = self.known(key) { return known }
        // Continues after a timeout and after the client has left: the next response has the scores.
        self.start(key, level: .interactive)
        if self.timeout > .zero {
            do {
                return try await withTimeout(self.timeout, throwing: TimedOut(), sleep: self.sleep) {
                    try await self.flight(key, level: .interactive)
                }
            } catch is TimedOut {
                // The scores known so far are used.
            }
        }
        // In this order: an entry replaces the part.
        let part = self.partial.withLock { $0[key] }
        return self.known(key) ?? part ?? BadgeScores([:], isCurrent: false)
    }

    /// The number of requests that wait for scores.
    var waiterCount: Int { self.flights.waiterCount }

    /// Cancels look-ups without a waiting client, and starts no more.
    func close() { self.lookUps.close() }

    private func known(_ key: Key) -> BadgeScores? {
        guard let entry = self.entries.value(for: key) else { return nil }
        guard entry.freshUntil <= self.now() else { return entry.scores }
        self.start(key, level: .revalidation)
        return BadgeScores(entry.scores.values, isCurrent: false)
    }

    private func start(_ key: Key, level: Urgency.Level) {
        self.lookUps.start(key, for: key) {
            do {
                _ = try await self.flight(key, level: level)
            } catch {
                // Cancelled at the end of the process; failures of sources are in the scores.
            }
        }
    }

    /// - Throws: `CancellationError` only.
    private func flight(_ key: Key, level: Urgency.Level) async throws -> BadgeScores {
        try await self.flights.value(for: key, level: level) { urgency in
            if let entry = self.entries.value(for: key), entry.freshUntil > self.now() { return entry.scores }
            defer { _ = self.partial.withLock { $0.removeValue(forKey: key) } }
            do {
                // The film's own source has the details already, or its poster waits for them, too.
                let entry =
                    key.includesOthers
                    ? try await self.turns.withPermit(urgency: urgency) { try await self.lookedUp(key) }
                    : try await self.lookedUp(key)
                let previous = self.entries.value(for: key)
                self.entries.insert(entry, for: key)
                if previous?.scores != entry.scores { self.changes.add(1, ordering: .releasing) }
                return entry.scores
            } catch is WeightedSemaphore.QueueFull {
                return BadgeScores(self.entries.value(for: key)?.scores.values ?? [:], isCurrent: false)
            }
        }.value
    }

    private func lookedUp(_ key: Key) async throws -> StoredScores {
        let previous = self.entries.value(for: key)
        // Of this look-up only: sources return stale responses while they renew them.
        let freshness = FreshnessRecorder()
        do {
            let scores = try await FreshnessRecorder.$current.withValue(freshness) {
                try await self.find(
                    key.film, imdbID: self.titles.title(of: key.film), includesOthers: key.includesOthers
                ) { known in
                    let scores = BadgeScores(BadgeSource.scores(known), isCurrent: false)
                    self.partial.withLock { $0[key] = scores }
                }
            }
            return StoredScores(scores, isStale: freshness.staleness != nil, previous: previous, at: self.now())
        } catch let failure as SourceFailure {
            return StoredScores(failure, previous: previous, at: self.now())
        }
    }
}
