import Logging
import Synchronization

/// A log that a test can read.
final class LogLines: Sendable {
    private let lines = Mutex<[(level: Logger.Level, text: String)]>([])

    func logger() -> Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: self) }
        logger.logLevel = .debug
        return logger
    }

    func warnings() -> [String] {
        self.lines.withLock { lines in lines.filter { $0.level >= .warning }.map(\.text) }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.debug
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            self.lines.lines.withLock { $0.append((event.level, "\(event.message)")) }
        }
    }
}
