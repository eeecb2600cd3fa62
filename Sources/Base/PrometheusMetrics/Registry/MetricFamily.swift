/// The series of one metric.
struct MetricFamily {
    /// What Prometheus calls its type.
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    let name: String
    let kind: Kind
    /// A sentence.
    let help: String
    /// By their labels as they are told, `{route="/",status="200"}` without the braces.
    var series: [String: any MetricSeries] = [:]
}

/// The numbers of one metric with one set of labels. Safe from any thread.
protocol MetricSeries: AnyObject, Sendable {
    /// What the metric's name ends in, unless it does so already.
    static var suffix: String { get }
    var name: SeriesName { get }
    func write(to writer: inout PrometheusWriter)
}
