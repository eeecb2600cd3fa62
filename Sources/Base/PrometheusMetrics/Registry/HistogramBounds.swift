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
