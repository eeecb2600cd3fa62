import BoundedCache
package import Logging
import Synchronization

/// Refuses originals that have repeatedly ended worker processes, by digest, for a limited time. Safe from any thread.
package final class Quarantine: Sendable {
    package struct Entry: Hashable, Sendable {
        package let digest: Digest
        /// The end of the refusal, in seconds since 1970.
        package let until: Int64
        /// How its last worker ended, as a clause.
        package let reason: String

        package init(digest: Digest, until: Int64, reason: String) {
            self.digest = digest
            self.until = until
            self.reason = reason
        }
    }

    /// Default duration of a refusal, in seconds: one day.
    package static let defaultSeconds: Int64 = 86_400
    /// Maximum number of entries; the first to expire is evicted.
    package static let countLimit = 10_000
    /// Number of ended workers at which an original is refused.
    private static let strikeLimit = 2
    /// Maximum length of a reason in UTF-8 bytes; the rest is cut off.
    static let reasonLimit = 200

    private struct State {
        var entries: [Digest: Entry] = [:]
        /// Number of workers ended by each of the last originals.
        var strikes = LRUMap<Digest, Int>(countLimit: Quarantine.countLimit)
        var refusals = 0
    }

    private let state: Mutex<State>
    private let seconds: Int64
    private let secondsSince1970: @Sendable () -> Int64
    private let save: @Sendable ([Entry]) -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - seconds: Duration of a refusal; 0 disables the quarantine.
    ///   - entries: The entries of an earlier process.
    ///   - save: Called with all entries after each change; must not block.
    package init(
        seconds: Int64 = Quarantine.defaultSeconds, entries: [Entry] = [], logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64, save: @escaping @Sendable ([Entry]) -> Void
    ) {
        self.seconds = seconds
        self.secondsSince1970 = secondsSince1970
        self.save = save
        self.logger = logger
        var state = State()
        if seconds > 0 {
            let now = secondsSince1970()
            // Limits the effect of a clock that was wrong.
            for entry in entries.prefix(Self.countLimit) where entry.until > now {
                state.entries[entry.digest] = Entry(
                    digest: entry.digest, until: min(entry.until, now + seconds), reason: entry.reason)
            }
        }
        self.state = Mutex(state)
    }

    /// The number of refused originals, and of refusals since the start.
    package var usage: (count: Int, refusals: Int) {
        let now = self.secondsSince1970()
        return self.state.withLock { state in (state.entries.values.count { $0.until > now }, state.refusals) }
    }

    /// The refused originals, the latest first.
    /// - Parameter limit: Maximum number of entries.
    package func entries(limit: Int) -> [Entry] {
        let now = self.secondsSince1970()
        let entries = self.state.withLock { Array($0.entries.values) }
        return Array(entries.filter { $0.until > now }.sorted { $0.until > $1.until }.prefix(limit))
    }

    /// The error of a refused original; `nil` if it is not refused.
    func refusal(of digest: Digest) -> PosterError? {
        let now = self.secondsSince1970()
        let entry = self.state.withLock { state -> Entry? in
            // The usual case.
            guard !state.entries.isEmpty, let entry = state.entries[digest] else { return nil }
            guard entry.until > now else {
                state.entries[digest] = nil
                return nil
            }
            state.refusals += 1
            return entry
        }
        return entry.map { .badOriginal(reason: "the file is quarantined: \($0.reason)") }
    }

    /// Records that an original has ended its worker.
    /// - Parameter reason: How the worker ended, as a clause.
    func noteEnd(by digest: Digest, reason: String) {
        guard self.seconds > 0 else { return }
        let now = self.secondsSince1970()
        let entries = self.state.withLock { state -> [Entry]? in
            let strikes = (state.strikes.value(for: digest) ?? 0) + 1
            guard strikes >= Self.strikeLimit else {
                _ = state.strikes.insert(strikes, for: digest)
                return nil
            }
            _ = state.strikes.remove(digest)
            state.entries = state.entries.filter { $0.value.until > now && $0.key != digest }
            if state.entries.count >= Self.countLimit,
                let first = state.entries.min(by: { $0.value.until < $1.value.until })
            {
                state.entries[first.key] = nil
            }
            state.entries[digest] = Entry(digest: digest, until: now + self.seconds, reason: Self.cut(reason))
            return Array(state.entries.values)
        }
        guard let entries else { return }
        self.logger.warning(
            "Original quarantined", metadata: ["poster.digest": "\(digest)", "error.message": "\(reason)"])
        self.save(entries)
    }

    /// The longest prefix of whole Unicode scalars within ``reasonLimit``.
    private static func cut(_ reason: String) -> String {
        guard reason.utf8.count > Self.reasonLimit else { return reason }
        var end = reason.utf8.index(reason.startIndex, offsetBy: Self.reasonLimit)
        while end.samePosition(in: reason.unicodeScalars) == nil { end = reason.utf8.index(before: end) }
        return String(reason[..<end])
    }
}
