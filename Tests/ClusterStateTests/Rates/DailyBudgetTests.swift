import MovieDomain
import MovieTesting
import PosterTesting
import RedisClient
import RedisTesting
import Testing
import UpstreamClient

@testable import ClusterState

@Suite(
    .timeLimit(.hang), .enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)))
struct DailyBudgetTests {
    private static let budget = DailyBudget.universal(1000)
    private let clock = ManualTimeOfDay(1_700_000_000)

    private func node(_ name: String, _ redis: RedisFixture, settlingTime: Int = 0) -> RedisDailyBudgets {
        RedisDailyBudgets(
            redis: redis.client, nodes: NodeCount(name: name, redis: redis.client), settlingTime: settlingTime,
            replyTimeout: .seconds(10), now: self.clock.now)
    }

    private func nodes(_ redis: RedisFixture) -> [RedisDailyBudgets] {
        ["a", "b", "c"].map { self.node($0, redis) }
    }

    /// Charges at most `limit` requests, until one is refused.
    private func charge(
        _ node: RedisDailyBudgets, atMost limit: Int = 2000, budget: DailyBudget = DailyBudgetTests.budget,
        counted: Int = 0
    ) async throws -> Int {
        for count in 0..<limit {
            let day = Instant(secondsSince1970: self.clock.now().secondsSince1970).date(secondsFromGreenwich: 0)
            if try await node.charge(.omdb, on: day, budget: budget, counted: counted + count) != nil { return count }
        }
        return limit
    }

    @Test func nodesTogetherSendNoMoreThanTheBudgetAndAllOfIt() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = self.nodes(redis)
            var sent = 0
            for round in 0..<60 {
                sent += try await self.charge(nodes[round % 3])
                for node in nodes { try await node.renew() }
            }
            #expect(sent <= 1000)
            #expect(sent >= 998, "what idle nodes hold is given up, but for the last ones")
            #expect(try await self.charge(nodes[0]) == 0)
        }
    }

    @Test func atOnceTheyDoNotExceedItEither() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = self.nodes(redis)
            let sent = try await withThrowingTaskGroup(of: Int.self) { group in
                for node in nodes {
                    for _ in 0..<8 { group.addTask { try await self.charge(node) } }
                    group.addTask {
                        for _ in 0..<20 { try await node.renew() }
                        return 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sent <= 1000)
            #expect(sent >= 700)
        }
    }

    @Test func aNodeThatBeginsFindsSomethingLeft() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            #expect(try await self.charge(self.node("a", redis), atMost: 1) == 1)
            #expect(try await self.charge(self.node("b", redis), atMost: 300) == 300)
        }
    }

    @Test func withoutRedisANodeUsesWhatItHas() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = self.nodes(redis)
            for node in nodes { #expect(try await self.charge(node, atMost: 10) == 10) }
            for node in nodes { try await node.renew() }
            redis.server.kill()
            try await eventually { !redis.client.isConnected }
            var sent = 30
            for node in nodes {
                let more = try await self.charge(node, counted: 10)
                #expect(more > 100)
                sent += more
            }
            #expect(sent <= 1000)
            try await redis.server.start()
            try await redis.connected()
            for _ in 0..<20 {
                for node in nodes { try await node.renew() }
                for node in nodes { sent += try await self.charge(node) }
            }
            #expect(sent <= 1000, "also with a Redis that was restarted empty")
            #expect(sent >= 990)
        }
    }

    @Test func afterAHashWasLostNothingIsGrantedUntilAllHaveReported() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = ["a", "b"].map { self.node($0, redis, settlingTime: 3600) }
            _ = try await redis.client.send(RedisCommand("FLUSHALL"))
            #expect(try await self.charge(nodes[0]) == 0, "this server has just started")
        }
    }

    @Test func aNodeThatStopsGivesBackWhatItDidNotSend() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = self.nodes(redis)
            #expect(try await self.charge(nodes[0], atMost: 100) == 100)
            await nodes[0].leave()
            var sent = 100
            for _ in 0..<40 {
                try await nodes[1].renew()
                sent += try await self.charge(nodes[1])
            }
            #expect((999...1000).contains(sent))
        }
    }

    @Test func aNodeThatWasKilledHasItsAllowanceAgain() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            #expect(try await self.charge(self.node("a", redis), atMost: 100) == 100)
            let other = self.node("b", redis)
            var sent = try await self.charge(other)
            for _ in 0..<40 {
                try await other.renew()
                sent += try await self.charge(other)
            }
            #expect(sent < 600, "the killed one's is kept")
            let restarted = self.node("a", redis)
            let more = try await self.charge(restarted, counted: 100)
            #expect(more >= 300)
            #expect(100 + sent + more <= 1000)
        }
    }

    @Test func aDayHasABudgetOfItsOwn() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let node = self.node("a", redis)
            let small = DailyBudget.universal(3)
            #expect(try await self.charge(node, budget: small) == 3)
            let day = self.clock.now().date(secondsFromGreenwich: 0)
            #expect(try await node.charge(.omdb, on: day, budget: small, counted: 3) == .usedUp)
            node.refund(.omdb, on: day)
            #expect(try await node.charge(.omdb, on: day, budget: small, counted: 2) == nil)
            self.clock.advance(seconds: 86_400)
            #expect(try await self.charge(node, budget: small) == 3)
            #expect(try await node.charge(.omdb, on: day, budget: small, counted: 3) != nil, "yesterday's")
        }
    }
}
