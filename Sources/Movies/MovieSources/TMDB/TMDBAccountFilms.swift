import BoundedCache
import Flights
import MovieDomain
import Synchronization
import UpstreamClient

/// What accounts have said about films, by account: their ratings, or which films are on their watchlists. TMDB has no request for several
/// films, only the list of all.
///
/// A list is read in the background. Callers wait until it is there, or until it is late, which it is after the time for
/// supplements; what comes later is there for later callers. What is changed through this service is entered at once, also into
/// lists that are read afterwards: TMDB's own may be behind for a while (``lag``).
///
/// Under the lock: lists, changes and readings; gates are opened outside of it.
final class TMDBAccountFilms<Value: Sendable>: Sendable {
    /// The films of an account.
    struct List: Sendable {
        var values: [MovieID: Value]
        /// Whether films that are not in it have no value: the latest 1000 are read.
        let isComplete: Bool
    }

    /// How long a list is used. What users change elsewhere is there afterwards.
    static var lifetime: Duration { .seconds(1800) }
    /// How long after a failure a list is not read again.
    static var retryInterval: Duration { .seconds(30) }
    /// How long after a change TMDB's list may still be without it.
    static var lag: Duration { .seconds(300) }
    /// The most pages of 20 that are read of a list, the latest films first.
    static var pageLimit: Int { 50 }
    /// The most pages of a list that are requested at once.
    static var pagesAtOnce: Int { 4 }
    /// The most changes that are remembered of an account, the latest.
    static var changeLimit: Int { 200 }
    /// The most lists that are read at once; those of further accounts are unknown meanwhile.
    private static var readingLimit: Int { 8 }
    /// The most lists, and the most accounts with changes.
    private static var listLimit: Int { 500 }
    /// The most films of all lists together, and of all changes.
    private static var filmLimit: Int { 200_000 }

    private struct Entry: Sendable {
        /// nil when it could not be read.
        var list: List?
        let expiresAt: Instant

        var cost: Int { 1 + (self.list?.values.count ?? 0) }
    }

    private struct Change: Sendable {
        let id: MovieID
        /// nil for one that was removed.
        let value: Value?
        let changedAt: Instant
    }

    private final class Reading: Sendable {
        let id: UInt64
        let beganAt: Instant
        /// Opened when the list is there, or late.
        let isSettled = Gate()
        let isSessionExpired = Atomic(false)

        init(id: UInt64, beganAt: Instant) {
            self.id = id
            self.beganAt = beganAt
        }
    }

    private struct State: Sendable {
        var entries = LRUMap<String, Entry>(
            countLimit: TMDBAccountFilms.listLimit, costLimit: TMDBAccountFilms.filmLimit)
        /// Of every account the latest, the oldest first.
        var changes = LRUMap<String, [Change]>(
            countLimit: TMDBAccountFilms.listLimit, costLimit: TMDBAccountFilms.filmLimit)
        /// Those under way.
        var readings: [String: Reading] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())
    private let tasks = BackgroundTasks<String, UInt64>(
        limit: TMDBAccountFilms.readingLimit, overflow: .ignoresNew, priority: .medium)
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

    /// The films of an account, as far as they are known without a request.
    func known(of account: String) -> List? { self.entry(of: account)?.list }

    /// The films of an account; nil when they are late, or could not be read lately.
    ///
    /// - Parameter read: Reads the list with the caller's session; is not cancelled when the caller leaves.
    /// - Throws: ``SessionExpired`` when `read` did; `CancellationError`.
    func list(of account: String, _ read: @escaping @Sendable () async throws -> List) async throws -> List? {
        if let entry = self.entry(of: account) { return entry.list }
        let now = self.now()
        let (reading, isNew) = self.state.withLock { state in
            if let reading = state.readings[account] { return (reading, false) }
            state.lastID += 1
            let reading = Reading(id: state.lastID, beganAt: now)
            state.readings[account] = reading
            return (reading, true)
        }
        if isNew {
            let acceptance = self.tasks.start(reading.id, for: account) { await self.run(reading, of: account, read) }
            guard case .accepted = acceptance else {
                self.state.withLock { if $0.readings[account] === reading { $0.readings[account] = nil } }
                reading.isSettled.open()
                return nil
            }
        }
        try await reading.isSettled.wait()
        // Those that joined may have another session of the account.
        if isNew, reading.isSessionExpired.load(ordering: .acquiring) { throw SessionExpired() }
        return self.known(of: account)
    }

    /// Enters what was changed; nil for a film that was removed.
    func note(_ value: Value?, of id: MovieID, by account: String) {
        let change = Change(id: id, value: value, changedAt: self.now())
        self.state.withLock { state in
            var changes = state.changes.value(for: account) ?? []
            changes.removeAll { $0.id == id }
            changes.append(change)
            changes.removeFirst(max(0, changes.count - Self.changeLimit))
            _ = state.changes.insert(changes, for: account, cost: changes.count)
            guard var entry = state.entries.value(for: account), entry.list != nil else { return }
            entry.list?.values[id] = value
            _ = state.entries.insert(entry, for: account, cost: entry.cost)
        }
    }

    /// Drops the list of an account whose session has ended.
    func drop(_ account: String) {
        let reading = self.state.withLock { state in
            _ = state.entries.remove(account)
            return state.readings.removeValue(forKey: account)
        }
        reading?.isSettled.open()
    }

    /// Drops the list and the changes of an account that is erased.
    func forget(_ account: String) {
        self.state.withLock { state in _ = state.changes.remove(account) }
        self.drop(account)
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
            guard state.readings[account] === reading else { return }
            state.readings[account] = nil
            for change in state.changes.value(for: account) ?? []
            where reading.beganAt < change.changedAt.adding(Self.lag) {
                entry.list?.values[change.id] = change.value
            }
            _ = state.entries.insert(entry, for: account, cost: entry.cost)
        }
    }
}
