public import Logging
import Synchronization

/// Records the messages of its loggers.
public final class LogRecorder: Sendable {
    private let lines = Mutex<[(level: Logger.Level, text: String)]>([])

    /// An empty record.
    public init() {}

    /// A logger at level `debug`.
    public func logger() -> Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .debug
        return logger
    }

    /// The messages at level `warning` or above.
    public func warnings() -> [String] {
        self.lines.withLock { lines in lines.filter { $0.level >= .warning }.map(\.text) }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.debug
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            self.recorder.lines.withLock { $0.append((event.level, "\(event.message)")) }
        }
    }
}
