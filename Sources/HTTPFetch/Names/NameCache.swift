/// What names were found to mean, for a while.
///
/// Times are monotonic, in nanoseconds.
struct NameCache {
    /// So many names are remembered; beyond that, those go that would have to be asked for again first.
    static let maxNames = 1024
    /// How long a name that was not found is not asked for again.
    static let failureDuration: Duration = .seconds(1)

    private struct Entry {
        let answer: NameResolver.Answer
        let until: UInt64
    }

    private let duration: UInt64
    private var entries: [String: Entry] = [:]

    init(duration: Duration) {
        self.duration = duration.nanoseconds
    }

    var count: Int { self.entries.count }

    func answer(for name: String, at now: UInt64) -> NameResolver.Answer? {
        self.entries[name].flatMap { $0.until > now ? $0.answer : nil }
    }

    mutating func store(_ answer: NameResolver.Answer, for name: String, at now: UInt64) {
        let isFound = (try? answer.get()) != nil
        let duration = isFound ? self.duration : min(self.duration, Self.failureDuration.nanoseconds)
        if self.entries[name] == nil, self.entries.count >= Self.maxNames {
            self.entries = self.entries.filter { $0.value.until > now }
            if self.entries.count >= Self.maxNames,
                let first = self.entries.min(by: { $0.value.until < $1.value.until })
            {
                self.entries[first.key] = nil
            }
        }
        self.entries[name] = Entry(answer: answer, until: now.addedClamped(duration))
    }
}
