import BoundedCache
import Flights
import MovieDomain
import Synchronization
import UpstreamClient

/// A value per film for each account: ratings, or films on watchlists. TMDB has no request for several films, only for
/// the whole list.
///
/// Lists are read in the background. Callers wait for a list until the timeout for supplements; a later result serves
/// later callers. Changes made through this service apply at once, also to lists that are read afterwards, because
/// TMDB's lists may lag behind (``lag``).
///
/// The lock guards lists, changes and pending reads; gates are opened outside it.
final class TMDBAccountFilms<Value: Sendable>: Sendable {
    struct List: Sendable {
        var values: [MovieID: Value]
        /// Whether films that are not in it have no value: only the latest 1000 are read.
        let isComplete: Bool
    }

    /// The lifetime of a list; users' changes at TMDB itself appear afterwards.
    static var lifetime: Duration { .seconds(1800) }
    static var retryInterval: Duration { .seconds(30) }
    /// How long TMDB's list may omit a change.
    static var lag: Duration { .seconds(300) }
    /// The maximal number of pages of 20 to read, the latest films first.
    static var pageLimit: Int { 50 }
    static var pagesAtOnce: Int { 4 }
    /// The maximal number of recorded changes per account, the latest.
    static var changeLimit: Int { 200 }
    /// The limit of concurrent reads; lists of further accounts are unknown meanwhile.
    private static var readingLimit: Int { 8 }
    /// The maximal numbers of lists, and of accounts with changes.
    private static var listLimit: Int { 500 }
    /// The maximal numbers of films in all lists, and of all changes.
    private static var filmLimit: Int { 200_000 }

    private struct Entry: Sendable {
        /// `nil` if the read failed.
        var list: List?
        let expiresAt: Instant

        var cost: Int { 1 + (self.list?.values.count ?? 0) }
    }

    private struct Change: Sendable {
        let id: MovieID
        /// `nil` for a removal.
        let value: Value?
        let changedAt: Instant
    }

    private final class Reading: Sendable {
        let id: UInt64
        let beganAt: Instant
        /// Opened when the list has been read, or at the timeout.
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
        /// The latest changes of each account, the oldest first.
        var changes = LRUMap<String, [Change]>(
            countLimit: TMDBAccountFilms.listLimit, costLimit: TMDBAccountFilms.filmLimit)
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
    ///   - waitLimit: How long callers wait for a list, from the start of its read.
    ///   - sleep: Suspends for a duration.
    init(
        waitLimit: Duration, now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.waitLimit = waitLimit
        self.now = now
        self.sleep = sleep
    }

    var readingCount: Int { self.tasks.count }

    /// The films of an account, if they are known without a request.
    func known(of account: String) -> List? { self.entry(of: account)?.list }

    /// The films of an account; `nil` after the timeout, and for a while after a failed read.
    ///
    /// - Parameter read: Reads the list with the caller's session; not cancelled with the caller.
    /// - Throws: ``SessionExpired`` if this caller's `read` threw it; `CancellationError`.
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
        // Callers that joined the read may have another session of the account.
        if isNew, reading.isSessionExpired.load(ordering: .acquiring) { throw SessionExpired() }
        return self.known(of: account)
    }

    /// Records a change; `nil` for a removed film.
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

    /// Removes the list of an account after its session has ended.
    func drop(_ account: String) {
        let reading = self.state.withLock { state in
            _ = state.entries.remove(account)
            return state.readings.removeValue(forKey: account)
        }
        reading?.isSettled.open()
    }

    /// Removes the list and the changes of an erased account.
    func forget(_ account: String) {
        self.state.withLock { state in _ = state.changes.remove(account) }
        self.drop(account)
    }

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
                // A cancelled sleep means that the read has ended.
                try? await self.sleep(self.waitLimit)
                reading.isSettled.open()
            }
            let list: List?
            do {
                list = try await read()
            } catch {
                // Unknown for a while; the endpoints of accounts report the failure.
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
            // Otherwise the list was dropped.
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
