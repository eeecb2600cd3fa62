package import Logging
import Synchronization

/// Logs a lasting fault, such as a full disk, once instead of at every request that meets it.
package final class FaultLog: Sendable {
    /// The least time between two lines about a fault that comes and goes, in seconds; `60` by default.
    package static let defaultQuietSeconds: Int64 = 60

    private struct State {
        /// Whether it was logged since the last success.
        var isLogged = false
        /// Whether the last attempt failed.
        var isOn = false
        var lastLogged: Int64?
    }

    private let message: Logger.Message
    private let level: Logger.Level
    private let logger: Logger
    private let quietSeconds: Int64
    private let secondsSince1970: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - message: The line, to which `error.message` is added.
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

    /// Whether the last attempt failed.
    package var isOn: Bool { self.state.withLock { $0.isOn } }

    /// An attempt failed: one line, unless there was one since the last success.
    package func begin(_ error: any Error) {
        let now = self.secondsSince1970()
        let isNews = self.state.withLock { state in
            state.isOn = true
            guard !state.isLogged, state.lastLogged.map({ now - $0 >= self.quietSeconds }) ?? true else { return false }
            state.isLogged = true
            state.lastLogged = now
            return true
        }
        guard isNews else { return }
        self.logger.log(level: self.level, self.message, metadata: ["error.message": "\(error)"])
    }

    /// An attempt succeeded.
    package func end() {
        self.state.withLock { state in
            state.isLogged = false
            state.isOn = false
        }
    }
}
