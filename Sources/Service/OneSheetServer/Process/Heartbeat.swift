import NIOCore
import ServiceLifecycle

/// Tells systemd every so often that the service is alive: that every event loop still takes its turn.
struct Heartbeat: Service {
    private let notices: NotifySocket
    private let period: Duration
    private let group: any EventLoopGroup

    init(_ notices: NotifySocket, period: Duration, group: any EventLoopGroup) {
        self.notices = notices
        self.period = period
        self.group = group
    }

    /// Beats until the service is over; also while it stops, which may take its time.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    for loop in self.group.makeIterator() { try await loop.submit {}.get() }
                    self.notices.tell([.watchdog])
                    try await Task.sleep(for: self.period)
                }
            }
        } catch is CancellationError {
            // How it ends.
        }
    }
}
