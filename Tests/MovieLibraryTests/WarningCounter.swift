import Logging
import Synchronization

final class WarningCounter: Sendable {
    private struct Handler: LogHandler {
        let counter: WarningCounter
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) { self.counter.warnings.add(1, ordering: .relaxed) }
    }

    private let warnings = Atomic<Int>(0)

    var count: Int { self.warnings.load(ordering: .relaxed) }

    var logger: Logger { Logger(label: "test") { _ in Handler(counter: self) } }
}
