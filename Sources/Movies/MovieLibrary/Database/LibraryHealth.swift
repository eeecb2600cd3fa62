package import Logging
package import MovieDomain
package import RebuildableDatabase
import Synchronization

/// Whether the latest reads and writes of the library succeeded. Logs a fault once, not for each affected request.
package final class LibraryHealth: Sendable {
    /// The minimum time between two probes during a fault, in seconds.
    static let probeSeconds: Int64 = 10

    package enum Operation {
        case reading
        case writing
        /// Inserting a row into a table with a limit.
        case adding
    }

    private let logs: [Operation: FaultLog]
    /// The time of the latest probe or failure, in seconds.
    private let lastTried = Mutex<Int64>(0)
    private let now: @Sendable () -> Instant
    private let isClosed = Atomic<Bool>(false)

    package init(logger: Logger, now: @escaping @Sendable () -> Instant) {
        let fault = { (message: Logger.Message) in
            FaultLog(message, level: .error, logger: logger, secondsSince1970: { now().secondsSince1970 })
        }
        self.logs = [
            .reading: fault("The library cannot be read; requests that need it are rejected"),
            .writing: fault("The library cannot be written; requests that change it are rejected"),
            .adding: fault("The library is full; additions are rejected"),
        ]
        self.now = now
    }

    package func works(_ operation: Operation) -> Bool { self.logs[operation]?.isOn != true }

    /// The oldest current fault; `nil` while reads, writes and insertions succeed.
    package var fault: FaultLog.Fault? { self.logs.values.compactMap(\.fault).min { $0.since < $1.since } }

    /// Records a success. A successful write also ends the fault of a full library.
    package func succeeded(_ operation: Operation) {
        self.logs[operation]?.end()
        if operation == .writing { self.logs[.adding]?.end() }
    }

    /// Records a failure. Logs it unless a failure was logged since the last success or within the last minute.
    package func failed(_ operation: Operation, _ error: any Error) {
        // At the end of the program, tasks may still use the closed database.
        guard !self.isClosed.load(ordering: .relaxed) else { return }
        self.lastTried.withLock { $0 = self.now().secondsSince1970 }
        self.logs[operation]?.begin(error)
    }

    /// Whether to probe; true for only one caller.
    package func isProbeDue() -> Bool {
        guard !self.works(.reading) || !self.works(.writing) else { return false }
        let now = self.now().secondsSince1970
        return self.lastTried.withLock { last in
            guard now - last >= Self.probeSeconds else { return false }
            last = now
            return true
        }
    }

    /// Stops recording failures.
    package func close() {
        self.isClosed.store(true, ordering: .relaxed)
    }
}

/// A flag for log lines that would otherwise repeat with every request.
package final class OnceFlag: Sendable {
    private let isSet = Atomic<Bool>(false)

    package init() {}

    /// - Returns: Whether this call was the first.
    package func setsFirst() -> Bool { !self.isSet.exchange(true, ordering: .relaxed) }
}
