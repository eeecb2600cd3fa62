import Logging
import Synchronization

/// Says once that something does not work, and not again for every request that meets it.
final class StorageTrouble: Sendable {
    /// Trouble that comes and goes is not told of more often than this, in seconds.
    static let quietSeconds: Int64 = 60

    private struct State {
        /// Whether there was a warning since it last worked.
        var isTold = false
        /// Whether it did not work the last time.
        var isOn = false
        var lastTold: Int64?
    }

    private let message: Logger.Message
    private let logger: Logger
    private let secondsSince1970: @Sendable () -> Int64
    private let state = Mutex(State())

    init(_ message: Logger.Message, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64) {
        self.message = message
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
    }

    /// Whether it did not work the last time.
    var isOn: Bool { self.state.withLock { $0.isOn } }

    /// It did not work: one warning, unless there was one and it has not worked since.
    func begin(_ error: any Error) {
        let now = self.secondsSince1970()
        let isNews = self.state.withLock { state in
            state.isOn = true
            guard !state.isTold, state.lastTold.map({ now - $0 >= Self.quietSeconds }) ?? true else { return false }
            state.isTold = true
            state.lastTold = now
            return true
        }
        guard isNews else { return }
        self.logger.warning(self.message, metadata: ["error.message": "\(error)"])
    }

    /// It worked.
    func end() {
        self.state.withLock { state in
            state.isTold = false
            state.isOn = false
        }
    }
}
