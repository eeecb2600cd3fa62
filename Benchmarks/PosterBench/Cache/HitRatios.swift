/// Hit ratios of all policies for one trace and one budget.
struct HitRatios {
    let trace: String
    let requestCount: Int
    /// The budget in percent of the trace's catalogue bytes.
    let share: Int
    /// In percent of the requests and of their bytes; policies that do not apply are absent.
    let requests, bytes: [PolicyKind: Double]
    /// Hit ratio of an unlimited cache, in percent of the requests.
    let most: Double

    /// Smallest shard in bytes: with less, 16 shards could not hold the largest variants, and the service has fewer.
    private static let leastShard = 1 << 20

    init(_ trace: CacheTrace, share: Int) {
        let budget = trace.catalogueBytes / 100 * share
        let count = trace.requests.count
        let allBytes = trace.requests.reduce(0) { $0 + Int(trace.bytes[Int($1)]) }
        var (requests, bytes): ([PolicyKind: Double], [PolicyKind: Double]) = ([:], [:])
        for kind in PolicyKind.allCases {
            if kind == .sharded, budget / PolicyKind.shardCount < Self.leastShard { continue }
            let hits = kind.hits(of: trace, budget: budget)
            requests[kind] = 100 * Double(hits.count) / Double(count)
            bytes[kind] = 100 * Double(hits.bytes) / Double(max(allBytes, 1))
        }
        (self.trace, self.requestCount, self.share) = (trace.name, count, share)
        (self.requests, self.bytes) = (requests, bytes)
        self.most = 100 * Double(trace.mostHits) / Double(count)
    }
}
