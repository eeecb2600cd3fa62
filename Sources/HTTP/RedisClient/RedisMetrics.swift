import CoreMetrics
import Synchronization

/// Timers of commands by name and outcome, and counters of failed ones.
final class RedisMetrics: Sendable {
    private struct Key: Hashable {
        let operation: String
        let outcome: String
    }

    private let metrics: any MetricsFactory
    private let timers = Mutex<[Key: Timer]>([:])
    private let errors = Mutex<[Key: Counter]>([:])

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
    }

    /// - Parameter failure: `nil` if the command succeeded.
    func record(_ operation: String, _ failure: RedisFailure?, nanoseconds: UInt64) {
        let key = Key(operation: operation, outcome: failure?.label ?? "done")
        let dimensions = [("operation", key.operation), ("outcome", key.outcome)]
        self.timers.withLock { timers in
            if let timer = timers[key] { return timer }
            let timer = Timer(label: "onesheet.redis.command.duration", dimensions: dimensions, factory: self.metrics)
            timers[key] = timer
            return timer
        }.recordNanoseconds(Int64(clamping: nanoseconds))
        guard failure != nil else { return }
        self.errors.withLock { errors in
            if let counter = errors[key] { return counter }
            let counter = Counter(label: "onesheet.redis.errors", dimensions: dimensions, factory: self.metrics)
            errors[key] = counter
            return counter
        }.increment()
    }
}
