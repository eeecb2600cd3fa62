import CoreMetrics
import Synchronization

/// Timers of requests to a store by operation and outcome, and counters of failed ones.
final class StoreMetrics: Sendable {
    private struct Key: Hashable {
        let operation: StoreOperation
        let outcome: String
    }

    private let metrics: any MetricsFactory
    private let timers = Mutex<[Key: Timer]>([:])
    private let errors = Mutex<[Key: Counter]>([:])

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
    }

    /// - Parameter failure: `nil` if the request succeeded; a missing object is a success.
    func record(_ operation: StoreOperation, _ failure: StoreFailure?, nanoseconds: UInt64) {
        let outcome = failure?.label ?? "done"
        let key = Key(operation: operation, outcome: outcome)
        let dimensions = [("operation", operation.rawValue), ("outcome", outcome)]
        self.timers.withLock { timers in
            if let timer = timers[key] { return timer }
            let timer = Timer(label: "onesheet.object_store.duration", dimensions: dimensions, factory: self.metrics)
            timers[key] = timer
            return timer
        }.recordNanoseconds(Int64(clamping: nanoseconds))
        guard failure != nil else { return }
        self.errors.withLock { errors in
            if let counter = errors[key] { return counter }
            let counter = Counter(label: "onesheet.object_store.errors", dimensions: dimensions, factory: self.metrics)
            errors[key] = counter
            return counter
        }.increment()
    }
}

enum StoreOperation: String {
    case get
    case put
    case delete
    case list
    case probe

    var isChange: Bool { self == .put || self == .delete }
}
