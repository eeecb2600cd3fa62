import BoundedCache
import InternetAddress

/// What names were found to mean, for a while.
///
/// Addresses are kept for longer than they are good: for when the name cannot be looked up again.
///
/// Times are monotonic, in nanoseconds.
struct NameCache {
    /// So many names are remembered; beyond that, the least recently used one goes.
    static let maxNames = 1024
    /// How long a name that was not found is not asked for again.
    static let failureDuration: Duration = .seconds(1)
    /// How long after their time addresses may still be used in place of none.
    static let staleDuration: Duration = .seconds(600)

    struct Entry {
        fileprivate var failure: ResolverError?
        /// When to ask again.
        fileprivate var until: UInt64
        /// The last ones that were found.
        fileprivate var addresses: [IPAddress] = []
        fileprivate var staleUntil: UInt64 = 0
    }

    private let duration: UInt64
    private var entries = LRUMap<String, Entry>(countLimit: NameCache.maxNames)

    init(duration: Duration) {
        self.duration = duration.nanoseconds
    }

    var count: Int { self.entries.count }

    /// nil when the name has to be asked for.
    mutating func answer(for name: String, at now: UInt64) -> NameResolver.Answer? {
        guard let entry = self.entries.value(for: name), entry.until > now else { return nil }
        guard let failure = entry.failure else { return .success(entry.addresses) }
        return self.staleAddresses(for: name, at: now).map { .success($0) } ?? .failure(failure)
    }

    /// The addresses that were found last; nil when they are too old, or there were none.
    mutating func staleAddresses(for name: String, at now: UInt64) -> [IPAddress]? {
        self.entries.value(for: name).flatMap { $0.staleUntil > now ? $0.addresses : nil }
    }

    /// Has the addresses from before used for a while without asking; of no effect where there are none.
    mutating func postpone(_ name: String, after failure: ResolverError, at now: UInt64) {
        guard var entry = self.entries.value(for: name), entry.staleUntil > now else { return }
        entry.failure = failure
        entry.until = now.addedClamped(Self.failureDuration.nanoseconds)
        _ = self.entries.insert(entry, for: name)
    }

    /// Stores an answer, unless it is a failure that may pass.
    ///
    /// - Returns: What was replaced or evicted, for the caller to free outside its lock.
    mutating func store(_ answer: NameResolver.Answer, for name: String, at now: UInt64) -> [Entry] {
        var entry: Entry
        switch answer {
        case .success(let addresses):
            let until = now.addedClamped(self.duration)
            let staleUntil = until.addedClamped(Self.staleDuration.nanoseconds)
            entry = Entry(until: until, addresses: addresses, staleUntil: staleUntil)
        case .failure(let failure):
            guard failure.isLasting else { return [] }
            entry = self.entries.value(for: name) ?? Entry(until: 0)
            entry.failure = failure
            entry.until = now.addedClamped(min(self.duration, Self.failureDuration.nanoseconds))
        }
        return self.entries.insert(entry, for: name)
    }
}
