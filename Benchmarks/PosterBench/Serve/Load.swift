/// What a load generator saw, and what it cost the server.
struct Load {
    var requestsPerSecond: Double
    /// Latencies in milliseconds.
    var p50, p99, p999: Double
    /// CPU seconds of the server and its children for 1000 requests.
    var cpuPerThousand: Double
    /// The server's memory at the end, and its peak meanwhile, in bytes.
    var resident, peak: Double
    /// Sockets that failed, answers of status 400 and above and, where there should be none, answers from a cache.
    var errors: Int

    /// Each number the median of its own; errors are added.
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
