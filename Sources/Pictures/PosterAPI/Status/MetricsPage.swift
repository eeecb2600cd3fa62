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
        let process = ProcessFacts.current()
        self.gauges.withLock { gauges in
            gauges.status.set(status)
            gauges.process.set(process)
            gauges.droppedLines.set(self.accessLog?.droppedCount ?? 0)
        }
        return self.registry.text
    }
}
