import BoundedCache
import Flights
import InternetAddress

/// A cache of name lookups: addresses, failures, and expired addresses, which are used while a name cannot be resolved
/// again (RFC 8767).
///
/// Times are monotonic, in nanoseconds.
struct NameCache {
    /// Maximum number of names; beyond that, the least recently used is evicted.
    static let maxNames = 1024
    /// How long a failed lookup is cached.
    static let failureDuration: Duration = .seconds(1)
    /// How long expired addresses may still be used if a lookup fails.
    static let staleDuration: Duration = .seconds(600)

    /// Replaced and evicted entries, for the caller to free outside its lock.
    typealias Dropped = [Entry]

    struct Entry {
        fileprivate var failure: ResolverError?
        /// When to look the name up again.
        fileprivate var until: UInt64
        /// The addresses of the last successful lookup.
        fileprivate var addresses: [IPAddress] = []
        fileprivate var staleUntil: UInt64 = 0

        fileprivate func staleAddresses(at now: UInt64) -> [IPAddress]? {
            self.staleUntil > now ? self.addresses : nil
        }
    }

    private let duration: UInt64
    private var entries = LRUMap<String, Entry>(countLimit: Self.maxNames)

    init(duration: Duration) {
        self.duration = duration.nanoseconds
    }

    var count: Int { self.entries.count }

    mutating func result(for name: String, at now: UInt64) -> NameResolver.Outcome? {
        guard let entry = self.entries.value(for: name), entry.until > now else { return nil }
        guard let failure = entry.failure else { return .success(entry.addresses) }
        return entry.staleAddresses(at: now).map { .success($0) } ?? .failure(failure)
    }

    /// Returns the addresses of the last successful lookup; `nil` if they are too old, or if there are none.
    mutating func staleAddresses(for name: String, at now: UInt64) -> [IPAddress]? {
        self.entries.value(for: name)?.staleAddresses(at: now)
    }

    /// Uses stale addresses for ``failureDuration`` without a lookup; has no effect if there are none.
    mutating func postpone(_ name: String, after failure: ResolverError, at now: UInt64) -> Dropped {
        guard var entry = self.entries.value(for: name), entry.staleAddresses(at: now) != nil else { return [] }
        entry.failure = failure
        entry.until = now.addingClamped(Self.failureDuration.nanoseconds)
        return self.entries.insert(entry, for: name)
    }

    /// Stores the result of a lookup; temporary failures are not stored.
    mutating func store(_ result: NameResolver.Outcome, for name: String, at now: UInt64) -> Dropped {
        switch result {
        case .success(let addresses):
            let until = now.addingClamped(self.duration)
            let staleUntil = until.addingClamped(Self.staleDuration.nanoseconds)
            return self.entries.insert(Entry(until: until, addresses: addresses, staleUntil: staleUntil), for: name)
        case .failure(let failure):
            guard failure.isLasting else { return [] }
            var entry = self.entries.value(for: name) ?? Entry(until: 0)
            entry.failure = failure
            entry.until = now.addingClamped(min(self.duration, Self.failureDuration.nanoseconds))
            return self.entries.insert(entry, for: name)
        }
    }
}
