/// What a metric means.
public struct MetricDescription: Hashable, Sendable {
    /// As it is recorded, such as `onesheet.variant.hits`.
    public let label: String
    /// A sentence for those who read it.
    public let help: String
    /// Of a histogram's buckets; see ``HistogramBounds``.
    public let bounds: [Double]?

    /// - Parameter bounds: nil for what is no histogram.
    public init(_ label: String, _ help: String, bounds: [Double]? = nil) {
        self.label = label
        self.help = help
        self.bounds = bounds
    }
}
