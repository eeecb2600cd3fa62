import ClusterState
import CodecWorkers
import HTTPFetch
import PosterCodec
import PosterOrigins
import PosterPipeline
import RedisClient

/// The maximum memory use of each part of the service, in bytes; a control group must allow their sum.
package struct MemoryBudgets: Encodable {
    struct Part: Encodable, Equatable {
        let name: String
        let bytes: Int
        /// The option that sets it; `nil` if it is fixed.
        var option: String?
    }

    /// Code and static data; the kernel may reclaim a part.
    private static let program = 50 << 20
    /// One connection, estimated: its handlers, tasks and buffers.
    private static let connection = 32 << 10
    /// One transfer, estimated: the first bytes, which contain the picture's header, and libcurl's buffers.
    private static let transfer = IncrementalProbe.defaultByteLimit + (64 << 10)
    /// Caches of originals, targets, clients, responses and their compressed forms at their limits, estimated.
    private static let remembered = 160 << 20
    /// The index of variants on disk at its limit, estimated, and variants queued for writing.
    private static let storedVariants = (36 << 20) + DiskVariantStore.defaultQueueByteLimit
    /// Databases, with at most six connections each and SQLite's default cache of 2 MiB per connection.
    private static let databases = 4 * 6 * 2 << 20
    /// One worker process without the estimates of its jobs, estimated: 5 MiB when idle, and memory that its heap
    /// retains until then.
    private static let worker = 16 << 20
    private static let leastVerification = 128 << 20

    let parts: [Part]
    package let total: Int
    /// All originals being read for verification.
    package let verification: Int

    private enum CodingKeys: CodingKey {
        case parts
        case total
    }

    package init(_ configuration: ServeConfiguration) {
        self.verification = max(Self.leastVerification, configuration.fetch.maxBytes)
        var parts = [
            Part(name: "program", bytes: Self.program),
            Part(name: "variants", bytes: configuration.variantsBudget, option: "memory-budget"),
            Part(name: "decoded planes", bytes: configuration.planesBudget, option: "planes-budget"),
            Part(name: "renders", bytes: configuration.renderMemoryBudget, option: "render-memory-budget"),
            Part(name: "worker processes", bytes: configuration.workerCount * Self.worker, option: "isolation"),
            Part(
                name: "originals decoded while they arrive", bytes: configuration.earlyDecodeBudget,
                option: "early-decode-budget"),
            Part(name: "originals being verified", bytes: self.verification, option: "fetch-max-bytes"),
            Part(
                name: "originals not stored on disk",
                bytes: DiskOriginalStore.Configuration().unstoredLimit),
            Part(
                name: "variants on disk", bytes: configuration.variantDiskBudget > 0 ? Self.storedVariants : 0,
                option: "variant-disk-budget"),
            Part(
                name: "responses not read by clients", bytes: configuration.sendMemoryBudget,
                option: "send-memory-budget"),
            Part(
                name: "connections", bytes: configuration.maxConnections * Self.connection, option: "max-connections"),
            Part(
                name: "transfers from origins", bytes: configuration.fetch.maxTransfers * Self.transfer,
                option: "fetch-max-transfers"),
            Part(name: "other caches", bytes: Self.remembered),
            Part(name: "databases", bytes: Self.databases),
        ]
        if configuration.sharedStore != nil {
            let bytes = ByteCount.sum(
                repeatElement(configuration.fetch.maxBytes, count: SharedOriginalStore.uploadsAtOnce))
            parts.append(Part(name: "originals being uploaded", bytes: bytes, option: "originals"))
        }
        if let redis = configuration.redis {
            // Queued variants, once more the variants being sent, and replies on both connections.
            let client = redis.client
            let bytes =
                RedisVariantStore.defaultQueueByteLimit
                + RedisLane.allCases.count * (client.pipeline.byteCount + client.replies.byteCount)
            parts.append(Part(name: "commands to Redis and its replies", bytes: bytes, option: "redis"))
        }
        self.parts = parts
        self.total = ByteCount.sum(self.parts.map(\.bytes))
    }

    var text: String {
        let lines =
            self.parts.map { ($0.name, ByteCount.describe($0.bytes), $0.option.map { "--\($0)" } ?? "") }
            + [("together", ByteCount.describe(self.total), "")]
        let nameWidth = lines.map(\.0.count).max() ?? 0
        let valueWidth = lines.map(\.1.count).max() ?? 0
        return lines.map { name, value, option in
            let padding = String(repeating: " ", count: nameWidth - name.count + 2 + valueWidth - value.count)
            return "memory: " + name + padding + value + (option.isEmpty ? "" : "  " + option)
        }.joined(separator: "\n")
    }
}

extension ServeConfiguration {
    /// Worker processes: one per codec thread, as many replacements on standby, and one at the lowest priority.
    package var workerCount: Int { self.isolation == .thread ? 0 : 2 * self.codecThreads + 1 }

    /// The maximum number of originals open at once: all that wait for a render, and the originals of unsent responses,
    /// which the send budget bounds.
    package var openOriginals: Int { 1024 + self.codecQueue }
}
