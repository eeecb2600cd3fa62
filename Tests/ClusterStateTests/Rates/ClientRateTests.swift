import HTTPServer
import InternetAddress
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@testable import ClusterState

@Suite(
    .timeLimit(.hang), .enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)))
struct ClientRateTests {
    private let clock = ManualClock()
    private let client = ClientAddress.host(.v4(0xC000_0201))

    private func limiter() -> ClientRateLimiter {
        // So slow that no token is refilled during the test.
        ClientRateLimiter(
            ClientRateLimiter.Limit(rate: 1, inSeconds: 3600, burst: 5), isShared: true, now: self.clock.now)
    }

    private func allowed(_ count: Int, _ rates: ClientRateLimiter) -> Int {
        (0..<count).count { _ in rates.refusal(of: self.client) == nil }
    }

    @Test func nodesShareAClientsBurst() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let limiters = (0..<3).map { _ in self.limiter() }
            let rates = limiters.map { SharedClientRates($0, redis: redis.client) }
            #expect(limiters.map { self.allowed(2, $0) } == [2, 2, 2], "until the first exchange each has its own")
            for _ in 0..<2 { for rates in rates { try await rates.exchange() } }
            #expect(self.allowed(9, limiters[2]) == 0, "six of five are charged")
            #expect(self.allowed(9, limiters[0]) == 3, "not charged here since, so not asked about")
            for rates in rates { try await rates.exchange() }
            #expect(self.allowed(9, limiters[0]) == 0)
        }
    }

    @Test func addressesAreNotInRedis() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let limiter = self.limiter()
            let rates = SharedClientRates(limiter, redis: redis.client)
            _ = self.allowed(1, limiter)
            try await rates.exchange()
            let names = try await redis.client.send(RedisCommand("KEYS", "*")).elements?.compactMap(\.text) ?? []
            #expect(names.count == 2)
            #expect(names.contains("onesheet:{clients}:key"))
            let name = try #require(names.first { !$0.hasSuffix(":key") })
            #expect(name.count == "onesheet:{clients}:".count + 32)
            let time = try await redis.client.send(RedisCommand("PTTL", name)).number ?? 0
            #expect(time > 3_500_000 && time <= 3_600_001, "until the full burst is back")
        }
    }

    @Test func manyClientsTakeSeveralCalls() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let limiter = self.limiter()
            for number in 0..<1000 { _ = limiter.refusal(of: .host(.v4(UInt32(number)))) }
            let count = limiter.takeCharges().count
            for number in 0..<1000 { _ = limiter.refusal(of: .host(.v4(UInt32(number)))) }
            try await SharedClientRates(limiter, redis: redis.client).exchange()
            let stored = try await redis.client.send(RedisCommand("DBSIZE")).number
            #expect(stored == Int64(count) + 1, "and the key of the hashes")
        }
    }

    @Test func withoutRedisTheLocalLimitStays() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let limiter = self.limiter()
            let rates = SharedClientRates(limiter, redis: redis.client)
            redis.server.kill()
            try await eventually { !redis.client.isConnected }
            #expect(self.allowed(9, limiter) == 5)
            try await rates.exchange()
            #expect(self.allowed(9, limiter) == 0)
            try await redis.server.start()
            try await redis.connected()
            try await rates.exchange()
            #expect(try await redis.client.send(RedisCommand("DBSIZE")).number == 2, "what was collected is sent")
        }
    }
}
