import FoundationEssentials
package import Logging
import MovieDomain
package import RedisClient

/// The nodes that use one Redis: each writes its state every few seconds under its name.
package struct NodeRegistry: Sendable {
    package struct Listed: Codable, Hashable, Sendable {
        package var name: String
        /// When the node wrote last, in seconds since 1970 by Redis's clock.
        package var seenAt: Int64
        /// `nil` if the node has not written for ``lifetimeSeconds``.
        package var record: NodeRecord?

        package init(name: String, seenAt: Int64, record: NodeRecord?) {
            self.name = name
            self.seenAt = seenAt
            self.record = record
        }
    }

    package static let interval = Duration.seconds(5)
    static let lifetimeSeconds = 10
    /// How long a node stays listed after its last record.
    private static let listedSeconds = 86_400
    private static let limit = 1000
    private static let deadline = Duration.seconds(1)

    private let client: RedisClient
    private let logger: Logger
    private let record: @Sendable () -> NodeRecord
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        client: RedisClient, logger: Logger,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        record: @escaping @Sendable () -> NodeRecord
    ) {
        self.client = client
        self.logger = logger
        self.sleep = sleep
        self.record = record
    }

    // Both keys have one hash tag, because one call uses both. Redis's clock counts, so that nodes' clocks need not
    // agree.
    private static let write = RedisScript(
        """
        local now = redis.call('TIME')[1]
        local before = redis.call('GET', KEYS[2])
        redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
        redis.call('ZADD', KEYS[1], now, ARGV[1])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[4])
        return before
        """)

    /// Writes this node's record until it is cancelled.
    package func run() async throws {
        var isShared = false
        while true {
            do {
                let (record, before) = try await self.write()
                // Another process with the same name: both overwrite each other's record.
                let isOther = before.map { $0.instance != record.instance } ?? false
                if isOther, isShared {
                    self.logger.warning(
                        "Another node has this node's name; set --node-name", metadata: ["node": "\(record.name)"])
                }
                // A single mismatch is the record of this node's previous process.
                isShared = isOther
            } catch is RedisFailure {
                // The client logs that Redis cannot be reached.
            }
            try await self.sleep(Self.interval)
        }
    }

    /// - Returns: The new record and the previous one.
    @discardableResult
    func write() async throws -> (record: NodeRecord, before: NodeRecord?) {
        let record = self.record()
        let json = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        let reply = try await self.client.evaluate(
            Self.write, keys: [self.index, self.key(record.name)],
            [record.name, json, Self.lifetimeSeconds, Self.listedSeconds], within: Self.deadline)
        return (record, reply.bytesValue.flatMap(Self.decoded))
    }

    /// All nodes, by name.
    /// - Throws: `RedisFailure`, `CancellationError`.
    package func nodes() async throws -> [Listed] {
        let reply = try await self.client.send(
            RedisCommand("ZREVRANGE", self.index, 0, Self.limit - 1, "WITHSCORES"), within: Self.deadline)
        let texts = (reply.elements ?? []).compactMap(\.text)
        var nodes: [Listed] = []
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            let reply = try await self.client.send(RedisCommand("GET", self.key(texts[index])), within: Self.deadline)
            nodes.append(
                Listed(
                    name: texts[index], seenAt: Int64(texts[index + 1]) ?? 0,
                    record: reply.bytesValue.flatMap(Self.decoded)))
        }
        return nodes.sorted { $0.name < $1.name }
    }

    /// Decodes a record; an incompatible version's record becomes `nil`, as does one with names that no version has.
    static func decoded(_ bytes: [UInt8]) -> NodeRecord? {
        guard !JSONNames.exceedLimit(in: bytes) else { return nil }
        return try? JSONDecoder().decode(NodeRecord.self, from: Data(bytes))
    }

    private var index: String { "\(self.client.prefix){nodes}" }

    private func key(_ name: String) -> String { "\(self.client.prefix){nodes}:\(name)" }
}
