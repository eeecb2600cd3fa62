import Glibc
import HTTPServer
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Sends state notifications to systemd (sd_notify(3)) as datagrams to the socket in `NOTIFY_SOCKET`.
struct SystemdNotifier: Sendable {
    enum Notification: Hashable {
        /// The service serves, or has finished a reload.
        case ready
        /// The service has been reloading its configuration since this time of CLOCK_MONOTONIC.
        case reloading(microseconds: UInt64)
        case stopping
        case watchdog
        /// A line for `systemctl status`.
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

    private let path: String
    /// The interval of ``Notification/watchdog``: half of systemd's, as sd_watchdog_enabled(3) recommends; `nil`
    /// without a watchdog.
    let watchdogPeriod: Duration?

    /// - Returns: `nil` if `NOTIFY_SOCKET` is unset or invalid.
    init?(environment: [String: String], processID: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            (2...UnixSocketAddress.pathLimit).contains(path.utf8.count)
        else { return nil }
        self.path = path
        let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        self.watchdogPeriod =
            isMeant
            ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 1 ? .microseconds($0 / 2) : nil } : nil
    }

    private static let patience = 2

    /// Sends notifications. One that is lost because the socket is full or gone is not repeated: systemd has its own
    /// timeouts.
    func send(_ notifications: [Notification]) {
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(AF_UNIX, flags, 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let text = Array(notifications.map(\.text).joined(separator: "\n").utf8)
        _ = UnixSocketAddress.with(self.path, isAbstract: self.path.hasPrefix("@")) {
            sendto(socket, text, text.count, Int32(MSG_NOSIGNAL), $0, $1)
        }
    }
}

/// Work that is cancelled when the process stops.
struct BackgroundService: Service {
    let work: @Sendable () async throws -> Void

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown(self.work)
        } catch is CancellationError {
            // The regular end.
        }
    }
}

extension BackgroundService {
    /// Sends systemd's watchdog notification periodically, after every event loop has executed a task.
    /// - Returns: `nil` if systemd expects none.
    static func watchdog(_ notifier: SystemdNotifier) -> BackgroundService? {
        notifier.watchdogPeriod.map { period in
            BackgroundService {
                while true {
                    for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
                    notifier.send([.watchdog])
                    try await Task.sleep(for: period)
                }
            }
        }
    }
}
