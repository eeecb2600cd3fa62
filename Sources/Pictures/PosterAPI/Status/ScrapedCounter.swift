import CoreMetrics

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
