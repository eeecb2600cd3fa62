import Flights
package import HTTPFetch
package import RedisClient
import Synchronization

/// Counts the nodes that share rates and budgets: each renews its entry in a sorted set, and receives the number of
/// entries.
///
/// A node that stops removes its entry; a killed node's entry expires after ``entryLifetime``. If Redis returns without
/// the entries, the previous count holds for that time, because the nodes renew their entries one after the other.
package final class NodeCount: Sendable {
    package static let renewalInterval: Duration = .seconds(5)
    /// Lifetime of an entry, in seconds.
    package static let entryLifetime = 15
    /// The number of nodes assumed before the first contact.
    package static let assumedCount = 8

    private struct State {
        var count = NodeCount.assumedCount
        var since: UInt64?
        /// The count before the entries were lost; a lower bound of the count until `formerEnd`.
        var former = 1
        var formerEnd: UInt64 = 0
    }

    /// The node's name; the same after a restart.
    let name: String
    private let redis: RedisClient
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    package init(name: String, redis: RedisClient, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.name = name
        self.redis = redis
        self.now = now
    }

    /// The number of nodes at the last contact.
    package var share: RateShare {
        self.state.withLock { RateShare(nodeCount: $0.count, since: $0.since) }
    }

    /// Renews the entry; without Redis the last count stays.
    package func renew() async throws {
        await self.update(try? await self.evaluate(Self.renewal, [self.name, Self.entryLifetime]))
        try Task.checkCancellation()
    }

    package func leave() async {
        _ = try? await self.evaluate(Self.removal, [self.name])
    }

    private func evaluate(_ script: RedisScript, _ arguments: [any RedisArgument]) async throws -> RedisReply {
        try await self.redis.evaluate(
            script, keys: ["\(self.redis.prefix)nodes:shares"], arguments, within: SharedDeadlines.background)
    }

    private func update(_ reply: RedisReply?) async {
        guard let numbers = reply?.elements?.compactMap(\.number), numbers.count == 2, numbers[0] > 0 else { return }
        let (now, wasThere) = (self.now(), numbers[1] == 1)
        self.state.withLock { state in
            if !wasThere, state.since != nil {
                state.former = state.count
                state.formerEnd = now.addingClamped(Duration.seconds(Self.entryLifetime).nanoseconds)
            }
            let former = now < state.formerEnd ? state.former : 1
            (state.count, state.since) = (max(Int(clamping: numbers[0]), former), now)
        }
    }

    /// Returns the number of entries, and 1 if this node's entry existed.

    private static let renewal = RedisScript(
        """
        local now = tonumber(redis.call('TIME')[1])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
        local added = redis.call('ZADD', KEYS[1], now, ARGV[1])
        redis.call('EXPIRE', KEYS[1], ARGV[2])
        return {redis.call('ZCARD', KEYS[1]), 1 - added}
        """)

    private static let removal = RedisScript("return redis.call('ZREM', KEYS[1], ARGV[1])")
}

package enum SharedDeadlines {
    /// Within a request to an upstream, which takes longer itself.
    package static let upstream: Duration = .milliseconds(100)
    /// In the background, where no request waits.
    package static let background: Duration = .seconds(1)
}
