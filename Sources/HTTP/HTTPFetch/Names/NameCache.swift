import InternetAddress

/// What names were found to mean, for a while.
///
/// Addresses are kept for longer than they are good: for when the name cannot be looked up again.
///
/// Times are monotonic, in nanoseconds.
struct NameCache {
    /// So many names are remembered; beyond that, those go that would have to be asked for again first.
    static let maxNames = 1024
    /// How long a name that was not found is not asked for again.
    static let failureDuration: Duration = .seconds(1)
    /// How long after their time addresses may still be used in place of none.
    static let staleDuration: Duration = .seconds(600)

    fileprivate struct Entry {
        var failure: ResolverError?
        /// When to ask again.
        var until: UInt64
        /// The last ones that were found.
        var addresses: [IPAddress] = []
        var staleUntil: UInt64 = 0

        var end: UInt64 { max(self.until, self.staleUntil) }
    }

    /// What was forgotten. Whoever holds a lock lets go of it outside.
    struct Forgotten {
        fileprivate var entries: [String: Entry]?
        fileprivate var entry: Entry?
    }

    private let duration: UInt64
    private var entries: [String: Entry] = [:]

    init(duration: Duration) {
        self.duration = duration.nanoseconds
    }

    var count: Int { self.entries.count }

    /// nil when the name has to be asked for.
    func answer(for name: String, at now: UInt64) -> NameResolver.Answer? {
        guard let entry = self.entries[name], entry.until > now else { return nil }
        guard let failure = entry.failure else { return .success(entry.addresses) }
        return self.staleAddresses(for: name, at: now).map { .success($0) } ?? .failure(failure)
    }

    /// The addresses that were found last; nil when they are too old, or there were none.
    func staleAddresses(for name: String, at now: UInt64) -> [IPAddress]? {
        self.entries[name].flatMap { $0.staleUntil > now ? $0.addresses : nil }
    }

    /// Has the addresses from before used for a while without asking; of no effect where there are none.
    mutating func postpone(_ name: String, after failure: ResolverError, at now: UInt64) {
        guard self.staleAddresses(for: name, at: now) != nil else { return }
        self.entries[name]!.failure = failure
        self.entries[name]!.until = now.addedClamped(Self.failureDuration.nanoseconds)
    }

    /// Failures that may pass are not remembered.
    mutating func store(_ answer: NameResolver.Answer, for name: String, at now: UInt64) -> Forgotten {
        switch answer {
        case .success(let addresses):
            let until = now.addedClamped(self.duration)
            let staleUntil = until.addedClamped(Self.staleDuration.nanoseconds)
            return self.store(Entry(until: until, addresses: addresses, staleUntil: staleUntil), for: name, at: now)
        case .failure(let failure):
            guard failure.isLasting else { return Forgotten() }
            var entry = self.entries[name] ?? Entry(until: 0)
            entry.failure = failure
            entry.until = now.addedClamped(min(self.duration, Self.failureDuration.nanoseconds))
            return self.store(entry, for: name, at: now)
        }
    }

    private mutating func store(_ entry: Entry, for name: String, at now: UInt64) -> Forgotten {
        var forgotten = Forgotten()
        if self.entries[name] == nil, self.entries.count >= Self.maxNames {
            let kept = self.entries.filter { $0.value.end > now }
            if kept.count < Self.maxNames {
                forgotten.entries = self.entries
                self.entries = kept
            } else if let first = kept.min(by: { $0.value.until < $1.value.until }) {
                forgotten.entry = self.entries.removeValue(forKey: first.key)
            }
        } else {
            forgotten.entry = self.entries[name]
        }
        self.entries[name] = entry
        return forgotten
    }
}
