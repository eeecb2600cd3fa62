import CoreMetrics
import Synchronization

/// Stands in for every series that there was no room for.
final class DroppedSamples: MetricSeries, CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
    TimerHandler
{
    static let suffix = ""
    let name = SeriesName(
        "onesheet.metrics.dropped.samples.total", [], kind: .counter, suffix: "", valueLength: 0)
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { self.drop() }
    func increment(by amount: Double) { self.drop() }
    func decrement(by amount: Double) { self.drop() }
    func reset() {}
    func set(_ value: Int64) { self.drop() }
    func set(_ value: Double) { self.drop() }
    func record(_ value: Int64) { self.drop() }
    func record(_ value: Double) { self.drop() }
    func recordNanoseconds(_ duration: Int64) { self.drop() }

    private func drop() {
        self.count.wrappingAdd(1, ordering: .relaxed)
    }

    func write(to writer: inout PrometheusWriter) {
        writer.head(self.name.metric, .counter, "Samples of series that there was no room for.")
        writer.sample(self.name, "\(self.count.load(ordering: .relaxed))")
    }
}

extension PrometheusWriter {
    mutating func write(_ dropped: DroppedSamples) {
        dropped.write(to: &self)
    }
}
