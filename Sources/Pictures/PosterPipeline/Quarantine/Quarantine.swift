import BoundedCache
package import Logging
import Synchronization

/// Refuses originals that have ended several workers, by their digest, for some time. Safe from any thread.
package final class Quarantine: Sendable {
    /// An original that is refused.
    package struct Entry: Hashable, Sendable {
        package let digest: Digest
        /// In seconds since 1970.
        package let until: Int64
        /// How its last worker ended, as a clause.
        package let reason: String

        package init(digest: Digest, until: Int64, reason: String) {
            self.digest = digest
            self.until = until
            self.reason = reason
        }
    }

    /// For how long an original is refused by default, in seconds.
    package static let defaultSeconds: Int64 = 86_400
    /// The most originals that are refused; those whose time ends first make room.
    package static let countLimit = 10_000
    /// The workers that an original may end.
    private static let strikeLimit = 2
    /// The longest reason that is kept, in bytes.
    static let reasonLimit = 200

    private struct State {
        var entries: [Digest: Entry] = [:]
        /// How many workers each of the last originals has ended.
        var strikes = LRUMap<Digest, Int>(countLimit: Quarantine.countLimit)
        var refusals = 0
    }

    private let state: Mutex<State>
    private let seconds: Int64
    private let secondsSince1970: @Sendable () -> Int64
    private let save: @Sendable ([Entry]) -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - seconds: For how long an original is refused; with 0 none is.
    ///   - entries: Those of an earlier process.
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
            // No clock that was wrong refuses anything for longer.
            for entry in entries.prefix(Self.countLimit) where entry.until > now {
                state.entries[entry.digest] = Entry(
                    digest: entry.digest, until: min(entry.until, now + seconds), reason: entry.reason)
            }
        }
        self.state = Mutex(state)
    }

    /// The number of originals that are refused, and how often one was since the start.
    package var usage: (count: Int, refusals: Int) {
        self.state.withLock { ($0.entries.count, $0.refusals) }
    }

    /// Why an original is refused at present; nil when it is not.
    func refusal(of digest: Digest) -> PosterError? {
        let now = self.secondsSince1970()
        let entry = self.state.withLock { state -> Entry? in
            // Most processes never have one.
            guard !state.entries.isEmpty, let entry = state.entries[digest] else { return nil }
            guard entry.until > now else {
                state.entries[digest] = nil
                return nil
            }
            state.refusals += 1
            return entry
        }
        return entry.map { .badOriginal(reason: "what it sent is refused for now: \($0.reason)") }
    }

    /// Notes that an original has ended its worker.
    /// - Parameter reason: As a clause.
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
            state.entries = state.entries.filter { $0.value.until > now }
            if state.entries.count >= Self.countLimit,
                let first = state.entries.min(by: { $0.value.until < $1.value.until })
            {
                state.entries[first.key] = nil
            }
            let reason = String(decoding: reason.utf8.prefix(Self.reasonLimit), as: UTF8.self)
            state.entries[digest] = Entry(digest: digest, until: now + self.seconds, reason: reason)
            return Array(state.entries.values)
        }
        guard let entries else { return }
        self.logger.warning(
            "Original refused", metadata: ["poster.digest": "\(digest)", "error.message": "\(reason)"])
        self.save(entries)
    }
}
