package import CoreMetrics
import Synchronization

/// A swift-metrics backend that writes Prometheus's text exposition format 0.0.4.
///
/// Not a library, because of its bounds: some values of labels come from requests, so the number of series and the
/// length of a value are limited, and recording never waits.
///
/// Recording takes no lock: a handler is a few atomic numbers. The lock guards the table of series. There are at most
/// ``Limits/series``; samples of further series are counted as dropped. The label `onesheet.variant.hits` becomes the
/// metric `onesheet_variant_hits_total`: counters end in `_total`, timers are histograms and end in `_seconds`.
package final class PrometheusRegistry: MetricsFactory {
    package struct Limits {
        /// Series of all metrics together; a histogram counts as one.
        package var series = 10_000
        /// The maximum length of a label's value, in bytes of UTF-8; longer values are cut.
        package var labelValueLength = 200

        package init() {}
    }

    private struct State {
        var families: [String: MetricFamily] = [:]
        var seriesCount = 0
    }

    private let limits: Limits
    private let descriptions: [String: MetricDescription]
    private let state = Mutex(State())
    private let dropped = DroppedSamples()

    package init(descriptions: [MetricDescription] = [], limits: Limits = Limits()) {
        self.limits = limits
        self.descriptions = Dictionary(descriptions.map { ($0.label, $0) }) { first, _ in first }
    }

    /// All series with their current values, in the exposition format.
    package var text: String {
        var writer = PrometheusWriter()
        for family in self.state.withLock({ Array($0.families.values) }).sorted(by: { $0.name < $1.name }) {
            writer.write(family)
        }
        self.dropped.write(to: &writer)
        return writer.text
    }

    /// The number of series, without dropped ones.
    package var seriesCount: Int { self.state.withLock { $0.seriesCount } }

    /// Returns a series, creating it if necessary.
    /// - Returns: `nil` above the limit of series, and for the name of a metric of another kind.
    private func series<Series: MetricSeries>(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind, _ suffix: String = "",
        _ make: (SeriesName) -> Series
    ) -> Series? {
        let name = SeriesName(
            label, dimensions, kind: kind, suffix: suffix, valueLength: self.limits.labelValueLength)
        return self.state.withLock { state in
            if let known = state.families[name.metric] {
                guard known.kind == kind else { return nil }
                if let series = known.series[name.labels] { return series as? Series }
            }
            guard state.seriesCount < self.limits.series else { return nil }
            let series = make(name)
            state.seriesCount += 1
            state.families[
                name.metric,
                default: MetricFamily(name: name.metric, kind: kind, help: self.help(label))
            ].series[name.labels] = series
            return series
        }
    }

    private func help(_ label: String) -> String {
        self.descriptions[label]?.help ?? "Values recorded as \(label)."
    }

    private func remove(_ handler: AnyObject) {
        guard let series = handler as? any MetricSeries else { return }
        let name = series.name
        self.state.withLock { state in
            guard state.families[name.metric]?.series[name.labels] === series else { return }
            state.families[name.metric]!.series[name.labels] = nil
            state.seriesCount -= 1
            if state.families[name.metric]!.series.isEmpty { state.families[name.metric] = nil }
        }
    }
}

extension PrometheusRegistry {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        self.series(label, dimensions, .counter, "_total") { CountSeries($0) } ?? self.dropped
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        self.series(label, dimensions, .counter, "_total") { SumSeries($0) } ?? self.dropped
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        self.series(label, dimensions, .gauge) { GaugeSeries($0) } ?? self.dropped
    }

    /// Makes a histogram for a recorder that aggregates, else a gauge.
    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return self.series(label, dimensions, .gauge) { GaugeSeries($0) } ?? self.dropped }
        let bounds = self.descriptions[label]?.bounds ?? HistogramBounds.counts
        return self.series(label, dimensions, .histogram) { HistogramSeries($0, bounds: bounds) } ?? self.dropped
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let bounds = self.descriptions[label]?.bounds ?? HistogramBounds.requests
        return self.series(label, dimensions, .histogram, "_seconds") { HistogramSeries($0, bounds: bounds) }
            ?? self.dropped
    }

    package func destroyCounter(_ handler: any CounterHandler) { self.remove(handler) }

    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { self.remove(handler) }

    package func destroyMeter(_ handler: any MeterHandler) { self.remove(handler) }

    package func destroyRecorder(_ handler: any RecorderHandler) { self.remove(handler) }

    package func destroyTimer(_ handler: any TimerHandler) { self.remove(handler) }
}

/// The HELP text of a metric, and the bounds of its histogram.
package struct MetricDescription: Sendable {
    /// The label as recorded, such as `onesheet.variant.hits`.
    let label: String
    let help: String
    /// The bucket bounds, as in ``HistogramBounds``; `nil` for metrics other than histograms.
    let bounds: [Double]?

    package init(_ label: String, _ help: String, bounds: [Double]? = nil) {
        self.label = label
        self.help = help
        self.bounds = bounds
    }
}
