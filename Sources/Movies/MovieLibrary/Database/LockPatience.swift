import Dispatch
import Glibc
import Synchronization

/// How long is waited while another program holds the library: a backup, a shell.
///
/// Who waits holds up all who want to write after them, so it is not each who waits so long, but all together: when the
/// time is over everybody is refused at once, until the library has been written again or nobody has met the other
/// program for a while.
final class LockPatience: Sendable {
    /// All together, in milliseconds.
    static let limit: UInt64 = 2000
    /// After so many milliseconds it is another program's turn, which is waited for anew.
    static let forgettingTime: UInt64 = 5000
    /// From one look to the next, in milliseconds.
    static let pause: UInt64 = 10

    private struct Episode {
        var begin: UInt64
        var latest: UInt64
    }

    private let episode = Mutex<Episode?>(nil)

    /// Whether somebody has met another program since the library was written.
    var isTried: Bool { self.episode.withLock { $0 != nil } }

    /// Whether to look again.
    ///
    /// - Parameter now: In milliseconds, since any moment; never back.
    func waits(at now: UInt64) -> Bool {
        self.episode.withLock { episode in
            var current = episode ?? Episode(begin: now, latest: now)
            if now - current.latest > Self.forgettingTime { current.begin = now }
            current.latest = now
            episode = current
            return now - current.begin < Self.limit
        }
    }

    /// For SQLite, on the thread that would wait.
    func waitsForOthers() -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds / 1_000_000
        guard self.waits(at: now) else { return false }
        usleep(UInt32(Self.pause * 1000))
        return true
    }

    /// The library was written.
    func renew() {
        self.episode.withLock { $0 = nil }
    }
}
