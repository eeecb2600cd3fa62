import Logging
import Synchronization

/// The level below which nothing is logged, for all loggers of the process at once; it can change while they are in use.
final class LogThreshold: Sendable {
    /// The process has one set of loggers, and they have this.
    static let process = LogThreshold(.notice)

    private let index: Atomic<Int>

    init(_ level: Logger.Level) {
        self.index = Atomic(Self.index(of: level))
    }

    var level: Logger.Level {
        get { Logger.Level.allCases[self.index.load(ordering: .relaxed)] }
        set { self.index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int {
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }
}

/// Logs what is not below a threshold that may move.
struct ThresholdLogHandler<Base: LogHandler>: LogHandler {
    private var base: Base
    private let threshold: LogThreshold
    /// Set on one logger alone; it wins.
    private var own: Logger.Level?

    init(_ base: Base, threshold: LogThreshold) {
        self.base = base
        self.threshold = threshold
        self.base.logLevel = .trace
    }

    var logLevel: Logger.Level {
        get { self.own ?? self.threshold.level }
        set { self.own = newValue }
    }

    var metadata: Logger.Metadata {
        get { self.base.metadata }
        set { self.base.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { self.base.metadataProvider }
        set { self.base.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.base[metadataKey: key] }
        set { self.base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        self.base.log(event: event)
    }
}
