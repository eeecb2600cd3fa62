import CoreMetrics
package import HTTPServer
package import PrometheusMetrics
import Synchronization

/// The text that Prometheus scrapes: recorded metrics, and gauges set at the time of the scrape.
///
/// The lock guards the last values of the counters; concurrent scrapes are serialized.
package final class MetricsPage: Sendable {
    private let registry: PrometheusRegistry
    private let accessLog: LineWriter?
    private let gauges: Mutex<Gauges>

    private struct Gauges {
        var status: StatusGauges
        var process: ScrapedMetrics<ProcessStatistics>
        var droppedLines: ScrapedCounter
    }

    /// - Parameters:
    ///   - registry: The registry that the service records to.
    ///   - accessLog: The log with the counter of dropped lines; `nil` without an access log.
    ///   - version: The program's version, for `onesheet_build_info`.
    package init(_ registry: PrometheusRegistry, accessLog: LineWriter? = nil, version: String) {
        self.accessLog = accessLog
        self.registry = registry
        Meter(label: "onesheet.build.info", dimensions: [("version", version)], factory: registry).set(1)
        self.gauges = Mutex(
            Gauges(
                status: StatusGauges(registry), process: ScrapedMetrics(registry),
                droppedLines: ScrapedCounter("onesheet.access_log.dropped.lines", on: registry)))
    }

    func text(_ status: ServiceStatus) -> String {
        let process = ProcessStatistics.current()
        self.gauges.withLock { gauges in
            gauges.status.set(status)
            gauges.process.set(process)
            gauges.droppedLines.set(self.accessLog?.droppedCount ?? 0)
        }
        return self.registry.text
    }
}

/// A counter that follows an external total: each scrape adds the difference to the last one.
struct ScrapedCounter {
    private let counter: FloatingPointCounter
    private var known = 0.0

    init(_ label: String, dimensions: [(String, String)] = [], on metrics: any MetricsFactory) {
        self.counter = FloatingPointCounter(label: label, dimensions: dimensions, factory: metrics)
    }

    /// Adds the difference to the last value. A smaller value means that the total was reset.
    mutating func set(_ value: Double) {
        self.counter.increment(by: value < self.known ? value : value - self.known)
        self.known = value
    }

    mutating func set(_ value: Int) { self.set(Double(value)) }

    func destroy() { self.counter.destroy() }
}
