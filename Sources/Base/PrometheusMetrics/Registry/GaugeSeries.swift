import CoreMetrics

/// A number that goes up and down.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    static let suffix = ""
    let name: SeriesName
    private let value = AtomicDouble()

    init(_ name: SeriesName) {
        self.name = name
    }

    func set(_ value: Int64) { self.value.set(Double(value)) }

    func set(_ value: Double) { self.value.set(value) }

    func increment(by amount: Double) { self.value.add(amount) }

    func decrement(by amount: Double) { self.value.add(-amount) }

    func record(_ value: Int64) { self.value.set(Double(value)) }

    func record(_ value: Double) { self.value.set(value) }

    func write(to writer: inout PrometheusWriter) {
        writer.sample(self.name, self.value.current)
    }
}
