import Dispatch
package import GRDB
import Glibc
import Synchronization

/// Bounds how long SQLite waits while another process holds a database: a backup, a shell.
///
/// A waiting writer holds up all that queue behind it, so the limit applies to all of them together: once it is over,
/// each is refused at once, until a write succeeds or no caller has met the lock for a while.
package final class BusyHandler: Sendable {
    /// For all waiting callers together, in milliseconds.
    package static let limit: UInt64 = 2000
    /// After so many milliseconds without a busy database the next lock counts as a new one.
    package static let forgettingTime: UInt64 = 5000
    /// Between two attempts, in milliseconds.
    private static let pause: UInt32 = 10

    private struct Episode {
        var begin: UInt64
        var latest: UInt64
    }

    private let episode = Mutex<Episode?>(nil)
    private let pause: @Sendable () -> Void

    /// - Parameter pause: Waits between two attempts, on the thread that waits; 10 ms by default.
    package init(pause: @escaping @Sendable () -> Void = { usleep(BusyHandler.pause * 1000) }) {
        self.pause = pause
    }

    /// For GRDB's `Configuration/busyMode`.
    package var mode: Database.BusyMode { .callback { _ in self.waitForOthers() } }

    /// Whether to try again; for a pure test of the rule.
    ///
    /// - Parameter now: In milliseconds, of a monotonic clock.
    package func allowsWaiting(at now: UInt64) -> Bool {
        self.episode.withLock { episode in
            var current = episode ?? Episode(begin: now, latest: now)
            if now - current.latest > Self.forgettingTime { current.begin = now }
            current.latest = now
            episode = current
            return now - current.begin < Self.limit
        }
    }

    /// Ends the episode: the database was written.
    package func succeeded() {
        self.episode.withLock { $0 = nil }
    }

    private func waitForOthers() -> Bool {
        guard self.allowsWaiting(at: DispatchTime.now().uptimeNanoseconds / 1_000_000) else { return false }
        self.pause()
        return true
    }
}
