import ClusterState
import Glibc
import PictureTesting
import PosterPipeline
import PosterTesting
import RedisClient
import RedisTesting
import Testing

/// How long a purge waits for Redis, and removals that are still pending afterwards.
@Suite(.timeLimit(.hang), .enabled(if: RedisServer.isAvailable, "\(RedisServer.absence)"))
struct RedisVariantRemovalTests {
    @Test func purgesEndWhenTheServerHangsAndAreDoneWhenItIsBack() async throws {
        try await RedisVariantStoreTests.with(client: {
            $0.hangTimeout = .milliseconds(100)
            $0.watchInterval = .milliseconds(20)
            $0.connectTimeout = .milliseconds(300)
            $0.commandTimeout = .milliseconds(100)
        }) { redis, store in
            let ids = try (0..<3).map { try PosterID("mine:\($0)") }
            redis.server.signal(SIGSTOP)
            await withTaskGroup { group in
                for id in ids { group.addTask { await store.removeAll(of: id) } }
            }
            #expect(store.counters.pendingRemovals == 3 && store.counters.removals == 0)
            redis.server.signal(SIGCONT)
            try await eventually { store.counters.pendingRemovals == 0 }
            #expect(store.counters.removals == 3)
        }
    }

    @Test func aPurgeDoesNotWaitLongerThanItsDeadline() async throws {
        try await RedisVariantStoreTests.with(deadline: { _ in }) { redis, store in
            redis.server.signal(SIGSTOP)
            await store.removeAll(of: try PosterID("mine:heat"))
            #expect(store.counters.pendingRemovals == 1)
            redis.server.signal(SIGCONT)
            try await eventually { store.counters.removals == 1 }
        }
    }

    @Test func aRemovalThatTheServerRefusesHoldsUpNeitherOthersNorWrites() async throws {
        try await RedisVariantStoreTests.with { redis, store in
            let refused = try TestVariant()
            let other = try TestVariant("other:heat")
            let key = RedisVariantName(refused.key, prefix: redis.client.prefix).key
            _ = try await redis.client.send(RedisCommand("SET", key, "no hash"))
            store.removeAll(of: refused.key.id, digest: refused.key.digest)
            try await eventually { store.counters.failures > 1 }
            await store.removeAll(of: other.key.id)
            store.store(other)
            try await eventually { store.counters.writes == 1 }
            #expect(store.counters.removals == 1 && store.counters.pendingRemovals == 1)
            _ = try await redis.client.send(RedisCommand("DEL", key))
            try await eventually { store.counters.pendingRemovals == 0 }
        }
    }
}
