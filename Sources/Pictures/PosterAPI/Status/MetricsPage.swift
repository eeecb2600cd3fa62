import CoreMetrics
public import HTTPServer
public import PrometheusMetrics
import Synchronization

/// What Prometheus reads: what was recorded as it happened, and what is looked up when it asks.
///
/// The lock guards what was told last; scrapes that come together are told one after another.
public final class MetricsPage: Sendable {
    private let registry: PrometheusRegistry
    private let accessLog: LineWriter?
    private let gauges: Mutex<Gauges>

    private struct Gauges {
        var status: StatusGauges
        var process: ProcessGauges
        var droppedLines: ScrapedCounter
    }

    /// - Parameters:
    ///   - registry: Where the service records.
    ///   - accessLog: Whose dropped lines are counted; nil without one.
    ///   - version: Of the program, for `onesheet_build_info`.
    public init(_ registry: PrometheusRegistry, accessLog: LineWriter? = nil, version: String) {
        self.accessLog = accessLog
        self.registry = registry
        self.gauges = Mutex(
            Gauges(
                status: StatusGauges(registry), process: ProcessGauges(registry, version: version),
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

/// A counter of what is counted elsewhere: it grows by what has been added there since the last look.
struct ScrapedCounter {
    private let counter: FloatingPointCounter
    private var known = 0.0

    init(_ label: String, dimensions: [(String, String)] = [], on metrics: any MetricsFactory) {
        self.counter = FloatingPointCounter(label: label, dimensions: dimensions, factory: metrics)
    }

    /// A smaller number than before is that of a source that began anew.
    mutating func set(_ value: Double) {
        self.counter.increment(by: value < self.known ? value : value - self.known)
        self.known = value
    }

    mutating func set(_ value: Int) { self.set(Double(value)) }

    func destroy() { self.counter.destroy() }
}
