import PosterTesting
import RedisClient
import RedisTesting
import Testing

@testable import ClusterState

@Suite(.enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)), .timeLimit(.hang))
struct NodeRegistryTests {
    private static func record(_ name: String, instance: String = "1") -> NodeRecord {
        NodeRecord(
            name: name, instance: instance, address: "http://\(name)", version: "1.0.0", startedAt: 100, seenAt: 200,
            isReady: true, reasons: [],
            events: NodeRecord.Events(phase: "current", lagSeconds: 0.2, position: "5-0", pending: 0),
            counters: NodeRecord.Counters(hits: 1, renders: 2, originals: 3, variants: 4))
    }

    private static func registry(_ redis: RedisFixture, _ record: NodeRecord) -> NodeRegistry {
        NodeRegistry(client: redis.client, logger: redis.log.logger()) { record }
    }

    @Test func allNodesAreListedByName() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            for name in ["b", "a"] { try await Self.registry(redis, Self.record(name)).write() }
            let nodes = try await Self.registry(redis, Self.record("a")).nodes()
            #expect(nodes.map(\.record) == [Self.record("a"), Self.record("b")])
            #expect(nodes.allSatisfy { $0.seenAt > 1_700_000_000 }, "by Redis's clock")
        }
    }

    @Test func aNodeThatDoesNotWriteAnyMoreIsListedWithoutItsRecord() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let registry = Self.registry(redis, Self.record("a"))
            try await registry.write()
            _ = try await redis.client.send(RedisCommand("DEL", "onesheet:{nodes}:a"))
            #expect(try await registry.nodes().map { [$0.name, $0.record?.name] } == [["a", nil]])
            let time = try await redis.client.send(RedisCommand("TTL", "onesheet:{nodes}:a")).number
            #expect(time == -2)
        }
    }

    @Test func aRecordEndsWithItsNode() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            try await Self.registry(redis, Self.record("a")).write()
            let time = try #require(try await redis.client.send(RedisCommand("TTL", "onesheet:{nodes}:a")).number)
            #expect((1...15).contains(time))
        }
    }

    @Test func twoNodesOfOneNameAreReported() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let rounds = Counter()
            let other = Self.registry(redis, Self.record("a", instance: "2"))
            let registry = NodeRegistry(
                client: redis.client, logger: redis.log.logger(),
                sleep: { _ in
                    rounds.increment()
                    if rounds.value == 3 { throw CancellationError() }
                    try await other.write()
                }, record: { Self.record("a") })
            await #expect(throws: CancellationError.self) { try await registry.run() }
            #expect(redis.log.warnings() == ["Another node has this node's name; set --node-name"])
        }
    }
}
