package import CoreMetrics
import Flights

/// Metrics of calls to a library in PostgreSQL.
package struct PostgresMetrics: Sendable {
    static let succeeded = "succeeded"
    /// The outcome of a call cancelled by its caller.
    static let cancelled = "cancelled"
    /// The outcome of a call that was not tried, since the latest ones have failed.
    static let suspended = "suspended"

    private let calls: [String: Counter]
    private let duration: Timer
    private let connections: Counter

    package init(metrics: any MetricsFactory = MetricsSystem.factory) {
        self.calls = Dictionary(
            uniqueKeysWithValues: ([Self.succeeded, Self.cancelled, Self.suspended] + PostgresFailure.faults).map {
                ($0, Counter(label: "onesheet.library.calls", dimensions: [("outcome", $0)], factory: metrics))
            })
        self.duration = Timer(label: "onesheet.library.call.duration", factory: metrics)
        self.connections = Counter(label: "onesheet.library.connections.opened", factory: metrics)
    }

    func countConnection() { self.connections.increment() }

    /// - Parameter outcome: One of the above, or a fault of ``PostgresFailure``.
    func record(_ outcome: String, nanoseconds: UInt64) {
        self.calls[outcome]?.increment()
        if outcome == Self.succeeded { self.duration.recordNanoseconds(Int64(clamping: nanoseconds)) }
    }
}
