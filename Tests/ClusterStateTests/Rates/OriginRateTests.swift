import Flights
import HTTPFetch
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@testable import ClusterState

@Suite(
    .timeLimit(.hang), .enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)))
struct OriginRateTests {
    /// So slow that the duration of the test has no effect.
    private static let limit = RateLimit(interval: 1_000_000_000_000, burst: 6)

    /// - Parameters:
    ///   - maxWait: In intervals.
    ///   - leastArrival: In intervals.
    private func request(
        _ count: Int = 1, maxWait: UInt64 = 20, leastArrival: UInt64 = 0, limit: RateLimit = OriginRateTests.limit,
        origin: String = "https://a"
    ) -> RateRequest {
        RateRequest(
            origin: origin, limit: limit, count: count, maxWait: maxWait * limit.interval,
            leastArrival: leastArrival * limit.interval)
    }

    private func rates(_ redis: RedisFixture, name: String = "a") -> RedisOriginRates {
        RedisOriginRates(
            redis: redis.client, nodes: NodeCount(name: name, redis: redis.client), replyTimeout: .seconds(10))
    }

    /// A lease in intervals, rounded: its count, 0 when it was refused, and its arrival time or wait.
    private func rounded(_ lease: RateLease?) -> [UInt64] {
        let interval = Self.limit.interval
        return switch lease {
        case .granted(let count, let arrival): [UInt64(count), (arrival + interval / 2) / interval]
        case .refused(let wait): [0, (wait + interval / 2) / interval]
        case nil: []
        }
    }

    @Test func blocksOfAllNodesFollowEachOther() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = ["a", "b", "c"].map { self.rates(redis, name: $0) }
            #expect(try await self.rounded(nodes[0].lease(self.request(4))) == [4, 0])
            #expect(try await self.rounded(nodes[1].lease(self.request(2))) == [2, 4])
            #expect(try await self.rounded(nodes[2].lease(self.request(1))) == [1, 6])
            #expect(try await self.rounded(nodes[0].lease(self.request(1, origin: "https://b"))) == [1, 0])
        }
    }

    @Test func aBlockEndsWhereTheWaitDoes() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let rates = self.rates(redis)
            #expect(
                try await self.rounded(rates.lease(self.request(64, maxWait: 2))) == [7, 0],
                "not quite six at once, and two in two intervals")
            // The next request can wait two intervals and the reply time, less the duration of this test.
            #expect(try await self.rounded(rates.lease(self.request(64, maxWait: 1))) == [0, 2])
            #expect(try await self.rounded(rates.lease(self.request(1, maxWait: 0))) == [0, 2])
        }
    }

    @Test func theBurstIsSmallerByTheTimeThatRepliesMayTake() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            // A burst of nine is a tolerance of 200 ms; a reply may take 100 ms of it.
            let limit = RateLimit(interval: 25_000_000, burst: 9)
            let lease = try await self.rates(redis).lease(self.request(64, maxWait: 0, limit: limit))
            guard case .granted(5, let arrival)? = lease else {
                Issue.record("\(String(describing: lease))")
                return
            }
            #expect(arrival == 100_000_000, "of which the node, by its own tolerance, makes the same moments")
        }
    }

    @Test func whatANodeKnowsRestoresAStateThatWasLost() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let rates = self.rates(redis)
            #expect(try await self.rounded(rates.lease(self.request(1, leastArrival: 8))) == [1, 8])
            #expect(try await self.rounded(rates.lease(self.request(1, leastArrival: 4))) == [1, 9])
        }
    }

    @Test func aStateIsGoneWithItsDebt() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let rates = self.rates(redis)
            _ = try await rates.lease(self.request(1, limit: RateLimit(interval: 25_000_000, burst: 6)))
            try await eventually {
                try await redis.client.send(RedisCommand("DBSIZE")).number == 0
            }
        }
    }

    @Test func threeNodesKeepTheRateAtAnOrigin() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            try await withOrigin { origin in
                origin.on("/", .image([1]))
                let clock = ContinuousClock()
                let start = clock.now
                let fetchers = try ["a", "b", "c"].map { name in
                    try self.fetcher(self.rates(redis, name: name))
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for fetcher in fetchers {
                        for _ in 0..<30 { group.addTask { try await fetcher.get(origin.url("/")) } }
                    }
                    try await group.waitForAll()
                }
                let seconds = Double((clock.now - start) / .milliseconds(1)) / 1000
                let count = origin.requests.count
                #expect(count == 90)
                #expect(Double(count) <= 8 + 40 * seconds * 1.01, "in \(seconds) s")
                for fetcher in fetchers { fetcher.shutdown() }
            }
        }
    }

    @Test func aServerThatIsAwayIsNotWaitedForAndTheShareStays() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let nodes = ["a", "b", "c"].map { NodeCount(name: $0, redis: redis.client) }
            #expect(nodes[0].share == RateShare(nodeCount: NodeCount.assumedCount, since: nil))
            for node in nodes + nodes { try await node.renew() }
            #expect(nodes.map(\.share.nodeCount) == [3, 3, 3])
            await nodes[2].leave()
            try await nodes[0].renew()
            #expect(nodes[0].share.nodeCount == 2)
            redis.server.kill()
            try await eventually { !redis.client.isConnected }
            let rates = RedisOriginRates(redis: redis.client, nodes: nodes[0], replyTimeout: .seconds(10))
            #expect(try await rates.lease(self.request()) == nil)
            try await nodes[0].renew()
            #expect(rates.share.nodeCount == 2)
            try await redis.server.start()
            try await redis.connected()
            #expect(try await rates.lease(self.request()) != nil)
        }
    }

    @Test func whenRedisHasLostItsEntriesTheFormerCountHoldsUntilOthersHaveRenewedTheirs() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let clock = ManualClock()
            let nodes = ["a", "b", "c"].map { NodeCount(name: $0, redis: redis.client, now: clock.now) }
            for node in nodes + nodes { try await node.renew() }
            _ = try await redis.client.send(RedisCommand("FLUSHALL"))
            for node in nodes.dropLast() {
                try await node.renew()
                #expect(node.share.nodeCount == 3)
            }
            clock.advance(by: .seconds(NodeCount.entryLifetime - 1))
            try await nodes[0].renew()
            #expect(nodes[0].share.nodeCount == 3)
            clock.advance(by: .seconds(1))
            try await nodes[0].renew()
            #expect(nodes[0].share.nodeCount == 2, "the third has not come back")
        }
    }

    private func fetcher(_ rates: RedisOriginRates) throws -> Fetcher {
        var configuration = FetchConfiguration()
        configuration.allowPrivateAddresses = true
        configuration.originLimits.requestsPerSecond = 40
        configuration.originLimits.maxFetches = 64
        // Long, for slow machines.
        (configuration.totalTimeout, configuration.lowSpeedDuration) = (.seconds(600), .seconds(600))
        return try Fetcher(configuration: configuration, sharedRates: rates)
    }
}

/// Discards the response.
private final class NoSink: FetchSink {
    func begin(_ head: FetchResponseHead) -> Bool { true }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}

extension Fetcher {
    fileprivate func get(_ url: String) async throws {
        _ = try await self.fetch(FetchRequest(url: url), into: NoSink())
    }
}
