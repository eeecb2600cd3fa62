import FoundationEssentials
package import Logging
package import RedisClient

/// The nodes that use one Redis: each writes what it says of itself every few seconds, under its name.
package struct NodeRegistry: Sendable {
    /// A node of the list.
    package struct Listed: Codable, Hashable, Sendable {
        package var name: String
        /// When it wrote last, in seconds since 1970 by Redis's clock.
        package var seenAt: Int64
        /// nil for a node that has not written for ``lifetimeSeconds``.
        package var record: NodeRecord?

        package init(name: String, seenAt: Int64, record: NodeRecord?) {
            self.name = name
            self.seenAt = seenAt
            self.record = record
        }
    }

    /// Between two records of a node.
    package static let interval = Duration.seconds(5)
    /// For how long a record counts: two intervals.
    static let lifetimeSeconds = 10
    /// For how long a node is listed that does not write any more.
    private static let listedSeconds = 86_400
    /// The most nodes of a list.
    private static let limit = 1000
    private static let deadline = Duration.seconds(1)

    private let client: RedisClient
    private let logger: Logger
    private let record: @Sendable () -> NodeRecord
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter record: What this node says of itself now.
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

    // One hash tag: one call names both keys. By Redis's clock, so that those of nodes do not matter.
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
                // Another process with the same name: each would write over the other's record.
                let isOther = before.map { $0.instance != record.instance } ?? false
                if isOther, isShared {
                    self.logger.warning(
                        "Another node has this node's name; set --node-name", metadata: ["node": "\(record.name)"])
                }
                // Once is the record of the process before this one.
                isShared = isOther
            } catch is RedisFailure {
                // The client logs that Redis cannot be reached.
            }
            try await self.sleep(Self.interval)
        }
    }

    /// - Returns: What was written, and the record before.
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

    /// Another version's record counts as none.
    private static func decoded(_ bytes: [UInt8]) -> NodeRecord? {
        try? JSONDecoder().decode(NodeRecord.self, from: Data(bytes))
    }

    private var index: String { "\(self.client.prefix){nodes}" }

    private func key(_ name: String) -> String { "\(self.client.prefix){nodes}:\(name)" }
}
