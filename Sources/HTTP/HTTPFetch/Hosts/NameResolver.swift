import Flights
import Glibc
import InternetAddress
import Synchronization

/// Resolves host names with a bounded number of threads, and caches the results.
///
/// libcurl would start a thread for every lookup, and threads of hanging lookups would outlive their callers. Here the
/// callers of one name share one lookup, and return immediately when they are cancelled. If a name that was resolved
/// before cannot be resolved again, or not within ``staleResponseDelay``, its last addresses are used for a while (RFC
/// 8767): hanging names do not delay known ones.
///
/// Every operation is O(1), except leaving a queued lookup, which is O(queued lookups).
final class NameResolver: Sendable {
    /// Maximum number of concurrent lookups.
    static let maxThreads = 16
    /// Maximum number of lookups that wait for a thread; more are rejected.
    static let maxQueue = 64
    /// How long callers wait for a lookup before stale addresses are used (RFC 8767's client response timer).
    static let staleResponseDelay: Duration = .seconds(1)

    private typealias Caller = Waiter<[IPAddress]>
    typealias Outcome = Result<[IPAddress], ResolverError>
    /// Resolves a name; may block.
    typealias LookUp = @Sendable (String) -> Outcome

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

    /// Returns the addresses of a host, at least one, in the order in which to try them.
    func addresses(of name: String) async throws -> [IPAddress] {
        if let result = self.cachedResult(for: name) { return try result.get() }
        guard let stale = self.staleAddresses(for: name) else { return try await self.newAddresses(of: name) }
        do {
            return try await withTimeout(
                Self.staleResponseDelay, throwing: ResolverError.temporaryFailure, sleep: self.timing.waitForName
            ) {
                try await self.newAddresses(of: name)
            }
        } catch let failure as ResolverError {
            let now = self.timing.now()
            let dropped = self.state.withLock { $0.cache.postpone(name, after: failure, at: now) }
            withExtendedLifetime(dropped) {}
            return stale
        }
    }

    /// The result of ``addresses(of:)`` if it is available without waiting; otherwise `nil`.
    func cachedResult(for name: String) -> Outcome? {
        let now = self.timing.now()
        return self.state.withLock { state in
            if let result = state.cache.result(for: name, at: now) { return result }
            // A caller has already waited for the whole delay: others need not.
            let staleFrom = state.lookups[name]?.since.addingClamped(Self.staleResponseDelay.nanoseconds)
            guard let staleFrom, now >= staleFrom else { return nil }
            return state.cache.staleAddresses(for: name, at: now).map { .success($0) }
        }
    }

    /// Number of running and queued lookups.
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
            // Not the queue's length: a thread that has just been started has not dequeued its name yet.
            guard state.lookups.count < Self.maxThreads + Self.maxQueue else { return .busy }
            isThreadNeeded = state.threadCount < Self.maxThreads
            state.lookups[name] = Lookup(since: now, callers: [caller.id: caller])
            state.queue.append(name)
            if isThreadNeeded { state.threadCount += 1 }
            return nil
        }
        if let refusal { return caller.resume(throwing: refusal) }
        guard isThreadNeeded else { return }
        // Released, and so detached: `getaddrinfo` cannot be interrupted, so no caller may have to join.
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

    // MARK: On the threads

    private func work() {
        while let name = self.next() {
            let result = self.lookUp(name)
            let now = self.timing.now()
            // Dropped entries are freed outside the lock.
            let (callers, dropped) = self.state.withLock { state -> ([Caller], NameCache.Dropped) in
                let callers = state.lookups.removeValue(forKey: name).map { Array($0.callers.values) } ?? []
                return (callers, state.cache.store(result, for: name, at: now))
            }
            withExtendedLifetime(dropped) {}
            for caller in callers { caller.resume(with: result.mapError { $0 }) }
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

    /// Fails the queued lookups if no other thread runs.
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

/// The system's resolver, `getaddrinfo`.
enum SystemResolver {
    /// Maximum number of addresses of a name that are tried; more would only lengthen the wait for the last.
    static let maxAddresses = 16

    /// Resolves a name; blocks for as long as the system's resolver does.
    static func lookUp(_ name: String) -> NameResolver.Outcome {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        errno = 0
        let code = getaddrinfo(name, nil, &hints, &first)
        guard code == 0 else { return .failure(Self.failure(code: code, errno: errno)) }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next?.pointee, addresses.count < Self.maxAddresses {
            let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            if let address = IPAddress(sockaddr: bytes), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
    }

    /// - Parameter code: An `EAI_…`. Without a descriptor for its socket or files, `getaddrinfo` reports an unknown
    ///   name or a temporary failure as often as a system error.
    static func failure(code: Int32, errno: Int32) -> ResolverError {
        if errno == EMFILE || errno == ENFILE { return .outOfDescriptors }
        return code == EAI_AGAIN ? .temporaryFailure : .notFound
    }
}

/// Why a name has no addresses.
enum ResolverError: Error, Hashable {
    /// The name does not exist, or has no addresses.
    case notFound
    /// The system's resolver got no answer, or was asked to try again later.
    case temporaryFailure
    case outOfDescriptors
    /// Too many lookups are queued, or no thread could be started; no lookup was made.
    case busy

    /// Whether the failure may be cached.
    var isLasting: Bool { self == .notFound }
}
