package import CoreMetrics
import HTTPFetch
package import HTTPServer
package import MovieDomain
package import RedisClient

/// The rates and budgets that nodes share, and the rounds that maintain them. Without Redis each node uses its own.
package final class SharedLimits: Sendable {
    /// Interval between rounds until the first contact.
    private static let firstInterval: Duration = .milliseconds(250)

    package let originRates: RedisOriginRates
    package let dailyBudgets: RedisDailyBudgets
    private let nodes: NodeCount
    private let clientRates: SharedClientRates?
    private let count: Gauge
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - node: This node's name: unique, and the same after a restart.
    ///   - clients: `nil` without a limit for clients.
    ///   - now: The time of day.
    ///   - sleep: Suspends between rounds.
    package init(
        node: String, redis: RedisClient, clients: ClientRateLimiter?, now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        let nodes = NodeCount(name: node, redis: redis)
        self.nodes = nodes
        self.originRates = RedisOriginRates(redis: redis, nodes: nodes, metrics: metrics)
        self.dailyBudgets = RedisDailyBudgets(redis: redis, nodes: nodes, metrics: metrics, now: now)
        self.clientRates = clients.map { SharedClientRates($0, redis: redis, metrics: metrics) }
        self.count = Gauge(label: "onesheet.redis.nodes", factory: metrics)
        self.sleep = sleep
    }

    /// The number of nodes at the last contact, including this one; `nil` before the first contact.
    package var nodeCount: Int? {
        let share = self.nodes.share
        return share.since == nil ? nil : share.nodeCount
    }

    /// Performs rounds until it is cancelled, then returns this node's allowances while Redis is still in use.
    package func run() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await self.renew() }
                if let clientRates { group.addTask { try await self.exchange(clientRates) } }
                try await group.next()
            }
        } catch is CancellationError {}
        // A separate task: this one is cancelled.
        await Task {
            await self.dailyBudgets.leave()
            await self.nodes.leave()
        }.value
    }

    private func renew() async throws {
        while true {
            try await self.nodes.renew()
            if let count = self.nodeCount { self.count.record(count) }
            try await self.dailyBudgets.renew()
            try await self.sleep(self.nodeCount == nil ? Self.firstInterval : NodeCount.renewalInterval)
        }
    }

    private func exchange(_ rates: SharedClientRates) async throws {
        while true {
            try await self.sleep(SharedClientRates.interval)
            try await rates.exchange()
        }
    }
}
