import CoreMetrics
import Synchronization

struct MetricFamily {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    let name: String
    let kind: Kind
    let help: String
    /// By their formatted labels, `{route="/",status="200"}` without the braces.
    var series: [String: any MetricSeries] = [:]
}

/// The samples of one metric with one set of labels. Safe from any thread.
protocol MetricSeries: AnyObject, Sendable {
    var name: SeriesName { get }
    func write(to writer: inout PrometheusWriter)
}

/// An integer counter.
final class CountSeries: MetricSeries, CounterHandler {
    let name: SeriesName
    private let value = Atomic<Int64>(0)

    init(_ name: SeriesName) {
        self.name = name
    }

    /// Ignores negative amounts.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        self.value.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { self.value.store(0, ordering: .relaxed) }

    func write(to writer: inout PrometheusWriter) {
        writer.sample(self.name, "\(self.value.load(ordering: .relaxed))")
    }
}

/// A floating-point counter.
final class SumSeries: MetricSeries, FloatingPointCounterHandler {
    let name: SeriesName
    private let value = AtomicDouble()

    init(_ name: SeriesName) {
        self.name = name
    }

    /// Ignores negative amounts, infinity and NaN.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        self.value.add(amount)
    }

    func reset() { self.value.set(0) }

    func write(to writer: inout PrometheusWriter) {
        writer.sample(self.name, self.value.current)
    }
}

final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
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

/// Counts the samples of series that exceed the limit.
final class DroppedSamples: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
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

    private func drop() { self.count.wrappingAdd(1, ordering: .relaxed) }

    func write(to writer: inout PrometheusWriter) {
        let name = SeriesName(
            "onesheet.metrics.dropped.samples", [], kind: .counter, suffix: "_total", valueLength: 0)
        writer.head(name.metric, .counter, "Samples dropped because the limit of series is reached.")
        writer.sample(name, "\(self.count.load(ordering: .relaxed))")
    }
}

struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var current: Double { Double(bitPattern: self.bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        self.bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var known = self.bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: known) + amount
            let (isDone, found) = self.bits.weakCompareExchange(
                expected: known, desired: sum.bitPattern, ordering: .relaxed)
            if isDone { return }
            known = found
        }
    }
}
