import CoreMetrics
import Synchronization

/// How many values fell between which bounds. Safe from any thread.
///
/// `@unchecked`, for the buckets are atomics behind a pointer that never changes: Swift has no array of atomics.
final class Histogram: @unchecked Sendable {
    /// Each bucket's greatest value, ascending.
    let bounds: [Double]
    private let buckets: UnsafeMutablePointer<Atomic<Int64>>
    private let sum = AtomicDouble()

    init(bounds: [Double]) {
        self.bounds = bounds
        self.buckets = .allocate(capacity: bounds.count + 1)
        for index in 0...bounds.count { (self.buckets + index).initialize(to: Atomic(0)) }
    }

    deinit {
        self.buckets.deinitialize(count: self.bounds.count + 1)
        self.buckets.deallocate()
    }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        var index = 0
        while index < self.bounds.count, value > self.bounds[index] { index += 1 }
        self.buckets[index].wrappingAdd(1, ordering: .relaxed)
        self.sum.add(value)
    }

    func write(_ name: SeriesName, to writer: inout PrometheusWriter) {
        let counts = (0...self.bounds.count).map { self.buckets[$0].load(ordering: .relaxed) }
        writer.histogram(name, bounds: self.bounds, counts: counts, sum: self.sum.current)
    }
}

/// Durations, written in seconds.
final class DurationSeries: MetricSeries, TimerHandler {
    static let suffix = "_seconds"
    let name: SeriesName
    private let histogram: Histogram

    init(_ name: SeriesName, bounds: [Double]) {
        self.name = name
        self.histogram = Histogram(bounds: bounds)
    }

    func recordNanoseconds(_ duration: Int64) {
        self.histogram.record(Double(duration) / 1_000_000_000)
    }

    func write(to writer: inout PrometheusWriter) {
        self.histogram.write(self.name, to: &writer)
    }
}

/// Values of any unit.
final class ValueSeries: MetricSeries, RecorderHandler {
    static let suffix = ""
    let name: SeriesName
    private let histogram: Histogram

    init(_ name: SeriesName, bounds: [Double]) {
        self.name = name
        self.histogram = Histogram(bounds: bounds)
    }

    func record(_ value: Int64) { self.histogram.record(Double(value)) }

    func record(_ value: Double) { self.histogram.record(value) }

    func write(to writer: inout PrometheusWriter) {
        self.histogram.write(self.name, to: &writer)
    }
}

/// The bounds of histograms: the same for all series of a metric, so that they can be added.
public enum HistogramBounds {
    /// Requests, in seconds: from an answer out of memory to the longest that an origin may take.
    public static let requests: [Double] = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    /// Decoding and encoding, in seconds.
    public static let work: [Double] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
    /// Waiting for a slot, in seconds; most do not wait.
    public static let waits: [Double] = [0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Fetches, in seconds.
    public static let fetches: [Double] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]
    /// What is no duration and is not described.
    public static let counts: [Double] = [1, 2, 5, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000]
}
