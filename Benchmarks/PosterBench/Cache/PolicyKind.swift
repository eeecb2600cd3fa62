enum PolicyKind: String, CaseIterable {
    case fifo, lru, sieve
    case s3FIFO = "s3-fifo"
    case tinyLFU = "w-tinylfu 1%"
    /// The service's policy in one shard.
    case chosen = "w-tinylfu 10%"
    /// The service's policy, sharded as at its default budget.
    case sharded = "w-tinylfu 10%/16"

    /// Number of the service's shards at its default budget.
    static let shardCount = 16

    var isOurs: Bool { self == .chosen || self == .sharded }

    func hits(of trace: CacheTrace, budget: Int) -> (count: Int, bytes: Int) {
        switch self {
        case .fifo: Self.hits(FIFOPolicy(budget: budget, bytes: trace.bytes), trace)
        case .lru: Self.hits(LRUPolicy(budget: budget, bytes: trace.bytes), trace)
        case .sieve: Self.hits(SievePolicy(budget: budget, bytes: trace.bytes), trace)
        case .tinyLFU: Self.hits(TinyLFUPolicy(budget: budget, bytes: trace.bytes), trace)
        case .s3FIFO: Self.hits(S3FIFOPolicy(budget: budget, bytes: trace.bytes), trace)
        case .chosen: Self.hits(ProductionPolicy(budget: budget, bytes: trace.bytes), trace)
        case .sharded:
            Self.hits(ProductionPolicy(budget: budget, bytes: trace.bytes, shardCount: Self.shardCount), trace)
        }
    }

    private static func hits(_ policy: some EvictionPolicy, _ trace: CacheTrace) -> (count: Int, bytes: Int) {
        var policy = policy
        var (count, bytes) = (0, 0)
        for key in trace.requests where policy.request(Int(key)) {
            count += 1
            bytes += Int(trace.bytes[Int(key)])
        }
        return (count, bytes)
    }
}
