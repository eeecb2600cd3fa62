import CoreMetrics
import Synchronization

/// A histogram of durations, written in seconds, or of values of any unit. Safe from any thread.
///
/// `@unchecked`, because the buckets are atomics behind a pointer that never changes: Swift has no array of atomics.
final class HistogramSeries: MetricSeries, TimerHandler, RecorderHandler, @unchecked Sendable {
    let name: SeriesName
    /// The upper bound of each bucket, ascending.
    private let bounds: [Double]
    private let buckets: UnsafeMutablePointer<Atomic<Int64>>
    private let sum = AtomicDouble()

    init(_ name: SeriesName, bounds: [Double]) {
        self.name = name
        self.bounds = bounds
        self.buckets = .allocate(capacity: bounds.count + 1)
        for index in 0...bounds.count { (self.buckets + index).initialize(to: Atomic(0)) }
    }

    deinit {
        self.buckets.deinitialize(count: self.bounds.count + 1)
        self.buckets.deallocate()
    }

    func recordNanoseconds(_ duration: Int64) { self.record(Double(duration) / 1_000_000_000) }

    func record(_ value: Int64) { self.record(Double(value)) }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        var index = 0
        while index < self.bounds.count, value > self.bounds[index] { index += 1 }
        self.buckets[index].wrappingAdd(1, ordering: .relaxed)
        self.sum.add(value)
    }

    func write(to writer: inout PrometheusWriter) {
        let counts = (0...self.bounds.count).map { self.buckets[$0].load(ordering: .relaxed) }
        writer.histogram(self.name, bounds: self.bounds, counts: counts, sum: self.sum.current)
    }
}

/// The bucket bounds of histograms; the same for all series of a metric, so that they can be added.
package enum HistogramBounds {
    /// Requests, in seconds: from a response out of memory to the longest time that an origin may take.
    package static let requests: [Double] = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    /// Decoding and encoding, in seconds.
    package static let work: [Double] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    /// Waiting times in queues, in seconds; most are 0.
    package static let waits: [Double] = [0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Fetches, in seconds.
    package static let fetches: [Double] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]
    /// Values other than durations, of metrics whose ``MetricDescription`` is missing or has no bounds.
    package static let counts: [Double] = [1, 2, 5, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000]
}
