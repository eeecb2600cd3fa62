/// The load generator's results and the server's resource usage.
struct Load {
    var requestsPerSecond: Double
    /// Latencies in milliseconds.
    var p50, p99, p999: Double
    /// CPU seconds of the server and its children per 1000 requests.
    var cpuPerThousand: Double
    /// The server's memory at the end, and its peak, in bytes.
    var resident, peak: Double
    /// Socket errors, responses with status 400 or above and, where none are expected, responses from a cache.
    var errors: Int

    /// The median of each number; the sum of the errors.
    init(medianOf rounds: [Load]) {
        let median = { (value: (Load) -> Double) in Median.of(rounds.map(value)) }
        self.init(
            requestsPerSecond: median(\.requestsPerSecond), p50: median(\.p50), p99: median(\.p99),
            p999: median(\.p999), cpuPerThousand: median(\.cpuPerThousand), resident: median(\.resident),
            peak: median(\.peak), errors: rounds.map(\.errors).reduce(0, +))
    }

    init(
        requestsPerSecond: Double, p50: Double, p99: Double, p999: Double, cpuPerThousand: Double, resident: Double,
        peak: Double, errors: Int
    ) {
        self.requestsPerSecond = requestsPerSecond
        (self.p50, self.p99, self.p999) = (p50, p99, p999)
        self.cpuPerThousand = cpuPerThousand
        (self.resident, self.peak) = (resident, peak)
        self.errors = errors
    }
}
