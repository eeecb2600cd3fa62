import CoreMetrics
import Synchronization

/// A number that only grows.
final class CountSeries: MetricSeries, CounterHandler {
    static let suffix = "_total"
    let name: SeriesName
    private let value = Atomic<Int64>(0)

    init(_ name: SeriesName) {
        self.name = name
    }

    /// What is negative counts as nothing.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        self.value.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() {
        self.value.store(0, ordering: .relaxed)
    }

    func write(to writer: inout PrometheusWriter) {
        writer.sample(self.name, "\(self.value.load(ordering: .relaxed))")
    }
}

/// A number that only grows, in parts of one.
final class SumSeries: MetricSeries, FloatingPointCounterHandler {
    static let suffix = "_total"
    let name: SeriesName
    private let value = AtomicDouble()

    init(_ name: SeriesName) {
        self.name = name
    }

    /// What is negative or no number counts as nothing.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        self.value.add(amount)
    }

    func reset() {
        self.value.set(0)
    }

    func write(to writer: inout PrometheusWriter) {
        writer.sample(self.name, self.value.current)
    }
}
