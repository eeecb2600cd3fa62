import Glibc
import Synchronization

/// Ctrl-C and its relatives, for measurements that leave something to be cleaned up: they end by an error, so that every
/// `defer` on the way runs.
enum Interruption {
    private static let hasCome = Atomic<Bool>(false)

    /// From here on the first SIGINT, SIGTERM or SIGHUP makes ``check()`` throw; a second one ends the process at once.
    static func watch() {
        _ = self.hasCome.load(ordering: .relaxed)  // made here rather than in the handler
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            if Interruption.hasCome.exchange(true, ordering: .relaxed) { _exit(130) }
        }
        // No SA_RESTART: what waits is to wake up.
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaction(signal, &action, nil) }
    }

    /// - Throws: ``BenchError`` when the process was asked to end.
    static func check() throws(BenchError) {
        if self.hasCome.load(ordering: .relaxed) { throw BenchError("interrupted") }
    }

    /// Waits.
    static func sleep(milliseconds: Int) throws(BenchError) {
        let end = Clock.now() + UInt64(milliseconds) * 1_000_000
        while true {
            try self.check()
            let now = Clock.now()
            guard now < end else { return }
            usleep(UInt32(min(end - now, 50_000_000) / 1000))
        }
    }
}
