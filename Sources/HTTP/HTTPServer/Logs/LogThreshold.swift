public import Logging
import Synchronization

/// From which level on something is logged, for all loggers of the process; may change while they are in use.
public final class LogThreshold: Sendable {
    private let index: Atomic<Int>

    /// From this level on.
    public init(_ level: Logger.Level) {
        self.index = Atomic(Self.index(of: level))
    }

    /// From which level on something is logged.
    public var level: Logger.Level {
        get { Logger.Level.allCases[self.index.load(ordering: .relaxed)] }
        set { self.index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int {
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }
}
