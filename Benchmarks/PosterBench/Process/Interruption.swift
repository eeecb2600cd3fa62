import Glibc
import Synchronization

/// Handles signals such as Ctrl-C during measurements that must clean up: they end by an error, so that every `defer`
/// runs.
enum Interruption {
    private static let hasCome = Atomic<Bool>(false)

    /// After this call the first SIGINT, SIGTERM or SIGHUP makes ``check()`` throw; a second one ends the process at
    /// once.
    static func watch() {
        _ = self.hasCome.load(ordering: .relaxed)  // made here rather than in the handler
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            if Interruption.hasCome.exchange(true, ordering: .relaxed) { _exit(130) }
        }
        // No SA_RESTART: blocking calls must be interrupted.
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaction(signal, &action, nil) }
    }

    /// - Throws: ``BenchError`` after such a signal.
    static func check() throws(BenchError) {
        if self.hasCome.load(ordering: .relaxed) { throw BenchError("interrupted") }
    }

    /// Sleeps, unless interrupted.
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
