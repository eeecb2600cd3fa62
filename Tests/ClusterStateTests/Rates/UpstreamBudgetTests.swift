import HTTPFetch
import Logging
import MovieDomain
import MovieTesting
import PosterTesting
import RedisTesting
import Testing
import UpstreamClient

@testable import ClusterState

/// Budgets, counted at the upstream.
@Suite(
    .timeLimit(.hang), .enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)))
struct UpstreamBudgetTests {
    private struct Node {
        let client: UpstreamClient
        let budgets: RedisDailyBudgets
        let fetcher: Fetcher

        init(_ name: String, _ redis: RedisFixture, _ upstream: ReplayingUpstream, _ clock: ManualTimeOfDay) throws {
            self.budgets = RedisDailyBudgets(
                redis: redis.client, nodes: NodeCount(name: name, redis: redis.client), settlingTime: 0,
                replyTimeout: .seconds(10), now: clock.now)
            var configuration = FetchConfiguration()
            configuration.allowPrivateAddresses = true
            // Long, for slow machines.
            (configuration.totalTimeout, configuration.lowSpeedDuration) = (.seconds(600), .seconds(600))
            self.fetcher = try Fetcher(configuration: configuration)
            self.client = UpstreamClient(
                source: .omdb, baseURL: upstream.baseURL, budget: .universal(1000),
                in: .init(
                    transport: FetchTransport(self.fetcher), store: try ResponseStore(), budgets: self.budgets,
                    now: clock.now, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        }

        /// Sends requests until the budget is used up or the rest belongs to other nodes.
        /// - Returns: Whether all nodes together have used up the budget.
        func send() async throws -> Bool {
            while true {
                do {
                    _ = try await self.client.send(UpstreamRequest("/film"))
                } catch SourceFailure.busy(_, let seconds) {
                    return seconds > 5
                }
            }
        }
    }

    @Test func threeNodesSendAThousandRequestsOfAThousand() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            try await withUpstream { upstream in
                upstream.on("GET", "/film", .json("{}"))
                let clock = ManualTimeOfDay(1_700_000_000)
                let nodes = try ["a", "b", "c"].map { try Node($0, redis, upstream, clock) }
                var isUsedUp = false
                for _ in 0..<100 where !isUsedUp {
                    isUsedUp = try await withThrowingTaskGroup(of: Bool.self) { group in
                        for node in nodes { group.addTask { try await node.send() } }
                        return try await group.reduce(true) { $0 && $1 }
                    }
                    for node in nodes { try await node.budgets.renew() }
                }
                #expect(upstream.requests.count <= 1000)
                #expect(upstream.requests.count >= 998)
                for node in nodes { node.fetcher.shutdown() }
            }
        }
    }
}
