package import Logging
import Synchronization

/// Logs a lasting fault, such as a full disk, once when it begins and once when it ends, rather than at every failing
/// request.
package final class FaultLog: Sendable {
    /// The minimum time between two lines about a recurring fault, in seconds; `60` by default.
    package static let defaultQuietSeconds: Int64 = 60

    package struct Fault: Hashable, Sendable {
        /// The time of the first failure in a row, in seconds since 1970.
        package let since: Int64
        /// The latest error.
        package var cause: String
    }

    private static let causeLimit = 500

    private struct State {
        /// Whether the fault was logged since the last success.
        var isLogged = false
        var fault: Fault?
        var lastLogged: Int64?
    }

    private let message: Logger.Message
    private let level: Logger.Level
    private let logger: Logger
    private let quietSeconds: Int64
    private let secondsSince1970: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - message: The log message, to which `error.message` is added.
    ///   - secondsSince1970: The time of day.
    package init(
        _ message: Logger.Message, level: Logger.Level = .warning, logger: Logger,
        quietSeconds: Int64 = FaultLog.defaultQuietSeconds, secondsSince1970: @escaping @Sendable () -> Int64
    ) {
        self.message = message
        self.level = level
        self.logger = logger
        self.quietSeconds = quietSeconds
        self.secondsSince1970 = secondsSince1970
    }

    package var isOn: Bool { self.fault != nil }

    /// The fault in effect; `nil` while attempts succeed.
    package var fault: Fault? { self.state.withLock { $0.fault } }

    /// Records a failed attempt. Logs it unless a line was logged since the last success or within the quiet time.
    package func begin(_ error: any Error) {
        let (now, cause) = (self.secondsSince1970(), "\(error)")
        let isNews = self.state.withLock { state in
            // By scalars: a character may have any number of combining marks.
            state.fault = Fault(
                since: state.fault?.since ?? now, cause: String(cause.unicodeScalars.prefix(Self.causeLimit)))
            guard !state.isLogged, state.lastLogged.map({ now < $0 || now - $0 >= self.quietSeconds }) ?? true
            else { return false }
            state.isLogged = true
            state.lastLogged = now
            return true
        }
        guard isNews else { return }
        self.logger.log(level: self.level, self.message, metadata: ["error.message": "\(cause)"])
    }

    /// Records a success. Logs a line at the same level if the fault was logged.
    package func end() {
        let logged = self.state.withLock { state -> Fault? in
            defer { (state.isLogged, state.fault) = (false, nil) }
            return state.isLogged ? state.fault : nil
        }
        guard let logged else { return }
        self.logger.log(
            level: self.level, "Resolved: \(self.message)",
            metadata: ["fault.seconds": "\(max(0, self.secondsSince1970() - logged.since))"])
    }
}
