package import CoreMetrics
import Flights

/// Metrics of calls of the library in PostgreSQL.
package struct PostgresMetrics: Sendable {
    /// How a call went.
    enum Outcome: String, CaseIterable {
        case succeeded
        case failed
        /// The caller has left.
        case cancelled
    }

    private let calls: [Outcome: Counter]
    private let duration: Timer
    private let connections: Counter

    package init(metrics: any MetricsFactory = MetricsSystem.factory) {
        self.calls = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map {
                (
                    $0,
                    Counter(
                        label: "onesheet.library.calls", dimensions: [("outcome", $0.rawValue)], factory: metrics)
                )
            })
        self.duration = Timer(label: "onesheet.library.call.duration", factory: metrics)
        self.connections = Counter(label: "onesheet.library.connections.opened", factory: metrics)
    }

    func countConnection() { self.connections.increment() }

    func record(_ outcome: Outcome, nanoseconds: UInt64) {
        self.calls[outcome]?.increment()
        if outcome == .succeeded { self.duration.recordNanoseconds(Int64(clamping: nanoseconds)) }
    }
}
