import PrometheusMetrics

extension MetricDescription {
    /// Metrics of rates, budgets and leases of fetches, which nodes share through Redis.
    static let sharedLimits = [
        Self("onesheet.redis.nodes", "Nodes that share rates and budgets, at the last contact."),
        Self(
            "onesheet.redis.leases",
            "Leases of attempts (rate), of requests of a day (day) and of fetches (fetch), by outcome; unavailable "
                + "without a reply of Redis."),
        Self("onesheet.redis.leased", "Attempts, requests and fetches that were leased."),
        Self(
            "onesheet.redis.lease.wait", "Waiting time of fetches for another node's fetch of the same original.",
            bounds: HistogramBounds.waits),
        Self("onesheet.redis.lease.waits_given_up", "Waits for another node that took too long."),
        Self("onesheet.redis.lease.spared_fetches", "Originals that another node fetched meanwhile."),
        Self("onesheet.redis.client.charges", "Charges of clients that were shared with other nodes."),
        Self("onesheet.redis.client.lost", "Charges of clients that were not shared, because there were too many."),
    ]
}
