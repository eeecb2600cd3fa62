import BoundedCache
import Flights
import MovieDomain
import Synchronization
import UpstreamClient

/// The ratings of accounts, by account: TMDB has no request for the ratings of several films, only the list of all rated ones.
///
/// A list is read in the background. Callers wait until it is there, or until it is late, which it is after the time for
/// supplements; what comes later is there for later callers. Ratings that are given through this service are entered at once.
///
/// Under the lock: lists and readings; gates are opened outside of it.
final class TMDBRatedFilms: Sendable {
    /// An account's ratings.
    struct List: Sendable {
        var ratings: [MovieID: Rating]
        /// Whether films that are not in it have no rating: the latest 1000 are read.
        let isComplete: Bool
    }

    /// How long a list is used. Ratings that users give elsewhere are there afterwards.
    static let lifetime = Duration.seconds(1800)
    /// How long after a failure a list is not read again.
    static let retryInterval = Duration.seconds(30)
    /// The most pages of 20 that are read of a list, the latest ratings first.
    static let pageLimit = 50
    /// The most pages of a list that are requested at once.
    static let pagesAtOnce = 4
    /// The most lists that are read at once; the ratings of further accounts are unknown meanwhile.
    private static let readingLimit = 8
    /// The most lists.
    private static let listLimit = 500
    /// The most ratings of all lists together.
    private static let ratingLimit = 200_000

    private struct Entry: Sendable {
        /// nil when it could not be read.
        var list: List?
        let expiresAt: Instant

        var cost: Int { 1 + (self.list?.ratings.count ?? 0) }
    }

    private final class Reading: Sendable {
        let id: UInt64
        /// Opened when the list is there, or late.
        let isSettled = Gate()
        let isSessionExpired = Atomic(false)

        init(id: UInt64) { self.id = id }
    }

    private struct State: Sendable {
        var entries = LRUMap<String, Entry>(
            countLimit: TMDBRatedFilms.listLimit, costLimit: TMDBRatedFilms.ratingLimit)
        /// Those under way, and what was rated since they began; nil for a rating that was removed.
        var readings: [String: (reading: Reading, changes: [MovieID: Rating?])] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())
    private let tasks = BackgroundTasks<String, UInt64>(
        limit: TMDBRatedFilms.readingLimit, overflow: .ignoresNew, priority: .medium)
    private let now: @Sendable () -> Instant
    let waitLimit: Duration
    let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - waitLimit: How long callers wait for a list, from the beginning of its reading.
    ///   - sleep: Returns after the duration that it is given.
    init(
        waitLimit: Duration, now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.waitLimit = waitLimit
        self.now = now
        self.sleep = sleep
    }

    /// Readings under way.
    var readingCount: Int { self.tasks.count }

    /// The ratings of an account, as far as they are known without a request.
    func known(of account: String) -> List? { self.entry(of: account)?.list }

    /// The ratings of an account; nil when they are late, or could not be read lately.
    ///
    /// - Parameter read: Reads the list with the caller's session; is not cancelled when the caller leaves.
    /// - Throws: ``SessionExpired`` when `read` did; `CancellationError`.
    func list(of account: String, _ read: @escaping @Sendable () async throws -> List) async throws -> List? {
        if let entry = self.entry(of: account) { return entry.list }
        let (reading, isNew) = self.state.withLock { state in
            if let (reading, _) = state.readings[account] { return (reading, false) }
            state.lastID += 1
            let reading = Reading(id: state.lastID)
            state.readings[account] = (reading, [:])
            return (reading, true)
        }
        if isNew {
            let acceptance = self.tasks.start(reading.id, for: account) { await self.run(reading, of: account, read) }
            guard case .accepted = acceptance else {
                self.state.withLock { if $0.readings[account]?.reading === reading { $0.readings[account] = nil } }
                reading.isSettled.open()
                return nil
            }
        }
        try await reading.isSettled.wait()
        // Those that joined may have another session of the account.
        if isNew, reading.isSessionExpired.load(ordering: .acquiring) { throw SessionExpired() }
        return self.known(of: account)
    }

    /// Enters a rating that was given, or removed.
    func note(_ rating: Rating?, of id: MovieID, by account: String) {
        self.state.withLock { state in
            state.readings[account]?.changes[id] = .some(rating)
            guard var entry = state.entries.value(for: account), entry.list != nil else { return }
            entry.list?.ratings[id] = rating
            _ = state.entries.insert(entry, for: account, cost: entry.cost)
        }
    }

    /// Drops the list of an account whose session has ended.
    func drop(_ account: String) {
        let reading = self.state.withLock { state in
            _ = state.entries.remove(account)
            return state.readings.removeValue(forKey: account)
        }
        reading?.reading.isSettled.open()
    }

    /// Cancels all readings.
    func close() { self.tasks.close() }

    private func entry(of account: String) -> Entry? {
        let entry = self.state.withLock { $0.entries.value(for: account) }
        return entry.flatMap { self.now() < $0.expiresAt ? $0 : nil }
    }

    private func run(
        _ reading: Reading, of account: String, _ read: @escaping @Sendable () async throws -> List
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // A sleep that is cancelled means that the list is there, or never will be.
                try? await self.sleep(self.waitLimit)
                reading.isSettled.open()
            }
            let list: List?
            do {
                list = try await read()
            } catch {
                // Unknown for a while; the resources of the account itself report what is wrong.
                if error is SessionExpired { reading.isSessionExpired.store(true, ordering: .releasing) }
                list = nil
            }
            self.finish(reading, of: account, list)
            group.cancelAll()
        }
    }

    private func finish(_ reading: Reading, of account: String, _ list: List?) {
        let time = list == nil ? Self.retryInterval : Self.lifetime
        var entry = Entry(list: list, expiresAt: self.now().adding(time))
        self.state.withLock { state in
            // Otherwise it was dropped.
            guard state.readings[account]?.reading === reading,
                let changes = state.readings.removeValue(forKey: account)?.changes
            else { return }
            for (id, rating) in changes { entry.list?.ratings[id] = rating }
            _ = state.entries.insert(entry, for: account, cost: entry.cost)
        }
    }
}
