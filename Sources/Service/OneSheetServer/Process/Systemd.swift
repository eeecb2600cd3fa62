import Glibc
import NIOCore
import ServiceLifecycle

/// Tells systemd how the service is doing (sd_notify(3)): datagrams to the socket that `NOTIFY_SOCKET` names.
struct SystemdNotifier: Sendable {
    /// What can be told.
    enum Notification: Hashable {
        /// It serves, or is done with reading its configuration again.
        case ready
        /// It reads its configuration again, since then by the clock that starts with the system.
        case reloading(microseconds: UInt64)
        /// It takes nothing new any more.
        case stopping
        /// It is alive.
        case watchdog
        /// A line for whoever looks at it.
        case status(String)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            case .status(let line): "STATUS=\(String(line.map { $0.isNewline ? " " : $0 }))"
            }
        }
    }

    /// What a socket's address has room for, in bytes.
    private static let pathLimit = 107

    private let path: String
    /// How often ``Notification/watchdog`` is expected, halved as sd_watchdog_enabled(3) says; nil when nobody waits for it.
    let watchdogPeriod: Duration?

    /// - Returns: nil when nobody wants to be told.
    init?(environment: [String: String], processID: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            (2...Self.pathLimit).contains(path.utf8.count)
        else { return nil }
        self.path = path
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        self.watchdogPeriod =
            isMeant
            ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 1 ? .microseconds($0 / 2) : nil } : nil
    }

    /// How long at most to wait while others' notices are before ours, in seconds.
    private static let patience = 2

    /// Tells it. Whoever misses it, because the socket is full for long or gone, acts by its own timeouts.
    func send(_ notifications: [Notification]) {
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_UNIX, flags, 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: self.path.utf8)
            // An abstract name begins with a zero, and ends with its length.
            if self.path.hasPrefix("@") { bytes[0] = 0 }
        }
        let length = MemoryLayout<sa_family_t>.size + self.path.utf8.count
        let text = Array(notifications.map(\.text).joined(separator: "\n").utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    socket, text, text.count, Int32(MSG_NOSIGNAL), $0,
                    socklen_t(length))
            }
        }
    }
}

/// Tells systemd every so often that the service is alive: that every event loop still takes its turn.
struct WatchdogHeartbeat: Service {
    private let notifier: SystemdNotifier
    private let period: Duration
    private let group: any EventLoopGroup

    init(_ notifier: SystemdNotifier, period: Duration, group: any EventLoopGroup) {
        self.notifier = notifier
        self.period = period
        self.group = group
    }

    /// Beats until the service is over; also while it stops, which may take its time.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    for loop in self.group.makeIterator() { try await loop.submit {}.get() }
                    self.notifier.send([.watchdog])
                    try await Task.sleep(for: self.period)
                }
            }
        } catch is CancellationError {
            // How it ends.
        }
    }
}
