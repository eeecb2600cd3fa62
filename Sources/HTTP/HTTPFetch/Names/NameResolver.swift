import Flights
import Glibc
import InternetAddress
import Synchronization

/// Looks host names up, on few threads, and remembers what it found.
///
/// libcurl would start a thread for every lookup, and one that hangs would stay although nobody wants its outcome any
/// more. Here a name that hangs holds one thread, however many want it, and who stops waiting leaves at once. A name that
/// was found before and cannot be looked up now, or not soon, keeps its addresses for a while: names that hang do not
/// stall those that are known.
///
/// Under the lock: the lookups under way, those that wait for a thread, the names found. Everything is O(1) but leaving
/// a lookup that has not begun (n in those) and making room for a name (n in the names).
final class NameResolver: Sendable {
    /// Lookups at once.
    static let maxThreads = 16
    /// Lookups that wait for a thread; one more is refused.
    static let maxQueue = 64
    /// How long a lookup is waited for when there are addresses from before.
    static let staleAnswerDelay: Duration = .seconds(1)

    private typealias Caller = Waiter<[IPAddress]>
    typealias Answer = Result<[IPAddress], ResolverError>
    /// Blocks for as long as it likes.
    typealias LookUp = @Sendable (String) -> Answer

    private struct Lookup {
        let since: UInt64
        var hasBegun = false
        var callers: [Caller.ID: Caller]
    }

    private struct State {
        var lookups: [String: Lookup] = [:]
        var queue: [String] = []
        var threadCount = 0
        var cache: NameCache
    }

    private let timing: FetchTiming
    private let lookUp: LookUp
    private let state: Mutex<State>

    init(cacheDuration: Duration, timing: FetchTiming, lookUp: @escaping LookUp = SystemResolver.lookUp) {
        self.timing = timing
        self.lookUp = lookUp
        self.state = Mutex(State(cache: NameCache(duration: cacheDuration)))
    }

    /// The addresses of a host, at least one, in the order in which to try them.
    ///
    /// - Throws: ``ResolverError``; `CancellationError`.
    func addresses(of name: String) async throws -> [IPAddress] {
        if let answer = self.cachedAnswer(for: name) { return try answer.get() }
        guard let stale = self.staleAddresses(for: name) else { return try await self.newAddresses(of: name) }
        do {
            return try await withTimeout(
                Self.staleAnswerDelay, throwing: ResolverError.temporaryFailure, sleep: self.timing.waitForName
            ) {
                try await self.newAddresses(of: name)
            }
        } catch let failure as ResolverError {
            let now = self.timing.now()
            self.state.withLock { $0.cache.postpone(name, after: failure, at: now) }
            return stale
        }
    }

    /// What ``addresses(of:)`` would say without waiting; nil when it has to.
    func cachedAnswer(for name: String) -> Answer? {
        let now = self.timing.now()
        return self.state.withLock { state in
            if let answer = state.cache.answer(for: name, at: now) { return answer }
            // Somebody's staleAnswerDelay is over: nobody else's has to be tried.
            guard let since = state.lookups[name]?.since, now >= since.addedClamped(Self.staleAnswerDelay.nanoseconds)
            else {
                return nil
            }
            return state.cache.staleAddresses(for: name, at: now).map { .success($0) }
        }
    }

    /// Lookups under way and waiting for a thread.
    var lookupCount: Int { self.state.withLock { $0.lookups.count } }

    private func staleAddresses(for name: String) -> [IPAddress]? {
        let now = self.timing.now()
        return self.state.withLock { $0.cache.staleAddresses(for: name, at: now) }
    }

    private func newAddresses(of name: String) async throws -> [IPAddress] {
        try await withWaiter { caller in
            self.join(name, caller)
        } cancel: { id in
            self.leave(name, id)
        }
    }

    private func join(_ name: String, _ caller: Caller) {
        let now = self.timing.now()
        var isThreadNeeded = false
        let refusal = self.state.withLock { state -> ResolverError? in
            if state.lookups[name] != nil {
                state.lookups[name]!.callers[caller.id] = caller
                return nil
            }
            // Not the queue's length: a thread that has just been started has not taken its name out yet.
            guard state.lookups.count < Self.maxThreads + Self.maxQueue else { return .busy }
            isThreadNeeded = state.threadCount < Self.maxThreads
            state.lookups[name] = Lookup(since: now, callers: [caller.id: caller])
            state.queue.append(name)
            if isThreadNeeded { state.threadCount += 1 }
            return nil
        }
        if let refusal { return caller.resume(throwing: refusal) }
        guard isThreadNeeded else { return }
        // Dropped, and so detached: `getaddrinfo` cannot be interrupted, so no caller may have to join.
        do { _ = try PosixThread(name: "http-resolve") { self.work() } } catch { self.threadFailed() }
    }

    private func leave(_ name: String, _ id: Caller.ID) {
        let caller = self.state.withLock { state -> Caller? in
            let caller = state.lookups[name]?.callers.removeValue(forKey: id)
            if let lookup = state.lookups[name], !lookup.hasBegun, lookup.callers.isEmpty {
                state.lookups[name] = nil
                state.queue.removeAll { $0 == name }
            }
            return caller
        }
        caller?.resume(throwing: CancellationError())
    }
}

// MARK: On the threads

extension NameResolver {
    /// Looks names up until none is left.
    private func work() {
        while let name = self.next() {
            let answer = self.lookUp(name)
            let now = self.timing.now()
            // Freed outside the lock.
            var dropped: [NameCache.Entry] = []
            let callers = self.state.withLock { state -> [Caller] in
                dropped = state.cache.store(answer, for: name, at: now)
                return state.lookups.removeValue(forKey: name).map { Array($0.callers.values) } ?? []
            }
            withExtendedLifetime(dropped) {}
            for caller in callers { caller.resume(with: answer.mapError { $0 }) }
        }
    }

    private func next() -> String? {
        self.state.withLock { state in
            guard !state.queue.isEmpty else {
                state.threadCount -= 1
                return nil
            }
            let name = state.queue.removeFirst()
            state.lookups[name]?.hasBegun = true
            return name
        }
    }

    /// The other threads, if there are any, do what there is to do.
    private func threadFailed() {
        let callers = self.state.withLock { state -> [Caller] in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [] }
            let names = state.queue
            state.queue = []
            return names.flatMap { state.lookups.removeValue(forKey: $0).map { Array($0.callers.values) } ?? [] }
        }
        for caller in callers { caller.resume(throwing: ResolverError.busy) }
    }
}
