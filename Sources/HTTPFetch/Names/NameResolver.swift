import Glibc
import Synchronization

/// Looks host names up, on few threads, and remembers what it found.
///
/// libcurl would start a thread for every lookup, and one that hangs would stay although nobody wants its outcome any
/// more. Here a name that hangs holds one thread, however many want it, and who stops waiting leaves at once.
///
/// Under the lock: the lookups under way, those that wait for a thread, the names found. Everything is O(1) but leaving
/// a lookup that has not begun (n in those) and making room for a name (n in the names).
final class NameResolver: Sendable {
    /// Lookups at once.
    static let maxThreads = 16
    /// Lookups that wait for a thread; one more is refused.
    static let maxQueue = 64

    private typealias Waiter = CheckedContinuation<[IPAddress], any Error>
    typealias Answer = Result<[IPAddress], FetchError>

    private struct Lookup {
        var hasBegun = false
        var waiters: [UInt64: Waiter]
    }

    private struct State {
        var lastID: UInt64 = 0
        var lookups: [String: Lookup] = [:]
        var queue: [String] = []
        var threadCount = 0
        var cache: NameCache
    }

    private let now: @Sendable () -> UInt64
    private let state: Mutex<State>

    init(cacheDuration: Duration, now: @escaping @Sendable () -> UInt64) {
        self.now = now
        self.state = Mutex(State(cache: NameCache(duration: cacheDuration)))
    }

    /// The addresses of a host, at least one, in the order in which to try them.
    ///
    /// - Throws: ``FetchError/resolutionFailed``; ``FetchError/overloaded(retryAfter:)`` when too many lookups hang;
    ///   `CancellationError`.
    func addresses(of name: String) async throws -> [IPAddress] {
        if let answer = self.rememberedAnswer(for: name) { return try answer.get() }
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { self.join(name, id, $0) }
        } onCancel: {
            self.leave(name, id)
        }
    }

    /// What ``addresses(of:)`` would say without a lookup; nil when it needs one.
    func rememberedAnswer(for name: String) -> Answer? {
        let now = self.now()
        return self.state.withLock { $0.cache.answer(for: name, at: now) }
    }

    /// Lookups under way and waiting for a thread.
    var lookupCount: Int { self.state.withLock { $0.lookups.count } }

    private func join(_ name: String, _ id: UInt64, _ waiter: Waiter) {
        var isThreadNeeded = false
        let refusal = self.state.withLock { state -> (any Error)? in
            // `leave` may have run before us and found nobody; the flag is set before it runs, so reading it under the
            // lock that it takes closes that race.
            if Task.isCancelled { return CancellationError() }
            if state.lookups[name] != nil {
                state.lookups[name]!.waiters[id] = waiter
                return nil
            }
            // Not the queue's length: a thread that has just been started has not taken its name out yet.
            guard state.lookups.count < Self.maxThreads + Self.maxQueue else {
                return FetchError.overloaded(retryAfter: Origin.leastWait)
            }
            isThreadNeeded = state.threadCount < Self.maxThreads
            state.lookups[name] = Lookup(waiters: [id: waiter])
            state.queue.append(name)
            if isThreadNeeded { state.threadCount += 1 }
            return nil
        }
        if let refusal { return waiter.resume(throwing: refusal) }
        if isThreadNeeded, !ResolverThread.start({ self.work() }) { self.threadFailed() }
    }

    private func leave(_ name: String, _ id: UInt64) {
        let waiter = self.state.withLock { state -> Waiter? in
            let waiter = state.lookups[name]?.waiters.removeValue(forKey: id)
            if let lookup = state.lookups[name], !lookup.hasBegun, lookup.waiters.isEmpty {
                state.lookups[name] = nil
                state.queue.removeAll { $0 == name }
            }
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}

// MARK: On the threads

extension NameResolver {
    /// Looks names up until none is left.
    private func work() {
        while let name = self.next() {
            let answer = ResolverThread.lookUp(name)
            let now = self.now()
            let waiters = self.state.withLock { state -> [Waiter] in
                state.cache.store(answer, for: name, at: now)
                return state.lookups.removeValue(forKey: name).map { Array($0.waiters.values) } ?? []
            }
            for waiter in waiters { waiter.resume(with: answer.mapError { $0 }) }
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
        let waiters = self.state.withLock { state -> [Waiter] in
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [] }
            let names = state.queue
            state.queue = []
            return names.flatMap { state.lookups.removeValue(forKey: $0).map { Array($0.waiters.values) } ?? [] }
        }
        for waiter in waiters { waiter.resume(throwing: FetchError.overloaded(retryAfter: Origin.leastWait)) }
    }
}
