import ClusterState
import Flights
import Glibc
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@Suite(.timeLimit(.hang), .enabled(if: RedisServer.isAvailable, "\(RedisServer.absence)"))
struct RedisVariantStoreTests {
    /// Runs `body` with a store on a server. Reads have a long timeout by default.
    /// - Parameter deadline: The timeout of removals; it never expires by default.
    static func with(
        _ settings: RedisServer.Settings = RedisServer.Settings(),
        configure: @Sendable (inout RedisVariantStore.Configuration) -> Void = { _ in },
        client: (inout RedisConfiguration) -> Void = { _ in },
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        deadline: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Gate().wait() },
        _ body: @Sendable @escaping (RedisFixture, RedisVariantStore) async throws -> Void
    ) async throws {
        var configuration = RedisVariantStore.Configuration()
        configuration.readTimeout = .seconds(10)
        configure(&configuration)
        let limits = configuration
        try await RedisFixture.with(settings, configure: client) { redis in
            try await redis.connected()
            let store = RedisVariantStore(
                redis.client, configuration: limits, now: now,
                sleep: { _ in try await Task.sleep(for: .milliseconds(1)) }, deadline: deadline)
            let running = Task { try await store.run() }
            defer { running.cancel() }
            try await body(redis, store)
        }
    }

    /// The store of another node.
    private func other(_ redis: RedisFixture) -> RedisVariantStore {
        var configuration = RedisVariantStore.Configuration()
        configuration.readTimeout = .seconds(10)
        return RedisVariantStore(redis.client, configuration: configuration)
    }

    @Test func itKeepsTheContract() async throws {
        try await Self.with { _, store in
            let broken = try await checkContract(of: store, hasIndex: false)
            #expect(broken == [])
        }
    }

    @Test func anotherNodeHasWhatOneHasStored() async throws {
        try await Self.with { redis, store in
            let first = try TestVariant()
            let refined = try TestVariant(width: 41)
            store.store(first)
            store.store(refined, milliseconds: 200, encoding: .refined)
            try await eventually { store.counters.writes == 2 }
            let other = self.other(redis)
            #expect(other.isWorthReading(first.key))
            #expect(await other.has(first))
            let found = try #require(await other.poster(for: refined.key))
            #expect(found.encoding == .refined)
            #expect(found.cpuNanoseconds == 200_000_000)
            let absent = try TestVariant(width: 42)
            #expect(await other.poster(for: absent.key) == nil)
            #expect(other.counters.hits == 2)
            #expect(other.counters.misses == 1)
        }
    }

    @Test func aVariantThatWasEncodedAgainTakesThePlaceOfTheFirstForAllNodes() async throws {
        try await Self.with { redis, store in
            let other = self.other(redis)
            let first = try TestVariant()
            let refined = try TestVariant(byteCount: 700)
            store.store(refined, encoding: .refined)
            try await eventually { store.counters.writes == 1 }
            store.store(first)
            try await eventually { store.counters.dropped == 1 }
            #expect(await other.has(refined))
            let name = RedisVariantName(first.key, prefix: redis.client.prefix)
            #expect(try await redis.client.send(RedisCommand("HLEN", name.key)).number == 1)
        }
    }

    @Test func aPurgeReachesWhatOtherNodesFind() async throws {
        try await Self.with { redis, store in
            let other = self.other(redis)
            let old = try TestVariant()
            let new = try TestVariant(seed: 2)
            let stranger = try TestVariant("other:heat")
            for variant in [old, new, stranger] { store.store(variant) }
            try await eventually { store.counters.writes == 3 }
            store.removeAll(of: old.key.id, digest: old.key.digest)
            try await eventually { store.counters.removals == 1 }
            #expect(await other.poster(for: old.key) == nil)
            #expect(await other.has(new))
            await store.removeAll(of: new.key.id)
            #expect(await other.poster(for: new.key) == nil)
            #expect(await other.has(stranger))
            store.removeAll(of: ["other"])
            try await eventually { store.counters.removals == 3 }
            #expect(await other.poster(for: stranger.key) == nil)
            #expect(try await redis.client.send(RedisCommand("DBSIZE")).number == 0)
        }
    }

    @Test func variantsHaveATimeToLiveAndALimitForEachPoster() async throws {
        try await Self.with(configure: {
            $0.timeToLive = .seconds(500)
            $0.limitPerPoster = 2
        }) { redis, store in
            for width in 40..<43 { store.store(try TestVariant(width: width)) }
            try await eventually { store.counters.writes + store.counters.dropped == 3 }
            #expect(store.counters.writes == 2)
            let name = RedisVariantName(try TestVariant().key, prefix: redis.client.prefix)
            let seconds = try await redis.client.send(RedisCommand("TTL", name.key)).number ?? 0
            #expect((1...500).contains(seconds))
        }
    }

    @Test func whatIsTooLargeOrTooMuchIsNotStored() async throws {
        try await Self.with(configure: {
            $0.byteLimit = 2000
            $0.queueLimit = 2
            $0.queueByteLimit = 3000
        }) { redis, store in
            store.store(try TestVariant(byteCount: 2001))
            #expect(store.counters.dropped == 1)
            redis.server.signal(SIGSTOP)
            for width in 40..<46 { store.store(try TestVariant(width: width)) }
            #expect(store.counters.dropped == 5)
            #expect(store.counters.pendingBytes <= 3000)
            redis.server.signal(SIGCONT)
            try await eventually { store.counters.pending == 0 }
        }
    }

    /// Invalid values in Redis.
    @Test(arguments: [
        "", "OSVARIAN", "no variant at all, but long enough to have a header and a digest of it all there",
    ])
    func whatIsDamagedIsAMissAndIsDeleted(_ value: String) async throws {
        try await Self.with { redis, store in
            let variant = try TestVariant()
            let name = RedisVariantName(variant.key, prefix: redis.client.prefix)
            _ = try await redis.client.send(RedisCommand("HSET", name.key, name.field + ":first", value))
            #expect(await store.poster(for: variant.key) == nil)
            #expect(store.counters.damaged == 1)
            try await eventually { try await redis.client.send(RedisCommand("EXISTS", name.key)).number == 0 }
        }
    }

    @Test func oneByteThatChangedIsFound() async throws {
        try await Self.with { redis, store in
            let variant = try TestVariant()
            store.store(variant)
            try await eventually { store.counters.writes == 1 }
            let name = RedisVariantName(variant.key, prefix: redis.client.prefix)
            var bytes = try #require(
                try await redis.client.send(RedisCommand("HGET", name.key, name.field + ":first")).bytesValue)
            bytes[bytes.count - 40] ^= 1
            _ = try await redis.client.send(RedisCommand("HSET", name.key, name.field + ":first", bytes))
            #expect(await store.poster(for: variant.key) == nil)
            #expect(store.counters.damaged == 1)
        }
    }

    @Test func readsThatAreTooSlowAreGivenUpAndThenLeftOut() async throws {
        let clock = ManualClock()
        try await Self.with(configure: { $0.readTimeout = .milliseconds(5) }, now: clock.now) { redis, store in
            let variant = try TestVariant()
            redis.server.signal(SIGSTOP)
            for _ in 0..<RedisVariantStore.defaultBreaker.threshold {
                #expect(store.isWorthReading(variant.key))
                #expect(await store.poster(for: variant.key) == nil)
            }
            #expect(!store.isWorthReading(variant.key))
            #expect(store.counters.failures == RedisVariantStore.defaultBreaker.threshold)
            redis.server.signal(SIGCONT)
            try await eventually { redis.client.status.inFlightCount == 0 }
            // On a busy machine a read may also time out.
            try await eventually {
                clock.advance(by: .seconds(60))
                #expect(store.isWorthReading(variant.key))
                _ = await store.poster(for: variant.key)
                return store.counters.misses == 1
            }
            #expect(store.isReading)
        }
    }

    /// Stores a variant, again when a command has exceeded a short timeout.
    private static func write(_ variant: TestVariant, to store: RedisVariantStore) async throws {
        try await eventually {
            if store.counters.pending == 0, store.counters.writes == 0 { store.store(variant) }
            return store.counters.writes > 0
        }
    }

    @Test func whatWasRemovedWhileTheServerHungIsNotFoundAndIsRemovedAfterwards() async throws {
        try await Self.with(client: {
            $0.hangTimeout = .milliseconds(100)
            $0.watchInterval = .milliseconds(20)
            $0.connectTimeout = .milliseconds(300)
            $0.commandTimeout = .milliseconds(100)
        }) { redis, store in
            let variant = try TestVariant()
            try await Self.write(variant, to: store)
            redis.server.signal(SIGSTOP)
            try await eventually { !redis.client.isConnected }
            await store.removeAll(of: variant.key.id)
            #expect(store.counters.pendingRemovals == 1)
            redis.server.signal(SIGCONT)
            try await redis.connected()
            #expect(await store.poster(for: variant.key) == nil)
            try await eventually { store.counters.pendingRemovals == 0 }
            try await eventually { (try? await redis.client.send(RedisCommand("DBSIZE")))?.number == 0 }
        }
    }

    @Test func withMoreRemovalsThanAreListedAllVariantsAreRemoved() async throws {
        try await Self.with(
            configure: { $0.removalLimit = 3 },
            client: {
                $0.hangTimeout = .milliseconds(100)
                $0.watchInterval = .milliseconds(20)
                $0.connectTimeout = .milliseconds(300)
                $0.commandTimeout = .milliseconds(100)
            }
        ) { redis, store in
            let variant = try TestVariant("mine:kept")
            try await Self.write(variant, to: store)
            redis.server.signal(SIGSTOP)
            try await eventually { !redis.client.isConnected }
            for index in 0..<8 { await store.removeAll(of: try PosterID("mine:\(index)")) }
            #expect(store.counters.pendingRemovals <= 4)
            redis.server.signal(SIGCONT)
            try await redis.connected()
            try await eventually { store.counters.pendingRemovals == 0 }
            try await eventually { (try? await redis.client.send(RedisCommand("DBSIZE")))?.number == 0 }
        }
    }

    @Test func aFullServerStoresNothingAndIsStillRead() async throws {
        try await Self.with { redis, store in
            let first = try TestVariant()
            store.store(first)
            try await eventually { store.counters.writes == 1 }
            _ = try await redis.client.send(RedisCommand("CONFIG", "SET", "maxmemory-policy", "noeviction"))
            _ = try await redis.client.send(RedisCommand("CONFIG", "SET", "maxmemory", 1))
            store.store(try TestVariant(width: 41))
            try await eventually { store.counters.failures == 1 }
            #expect(await store.has(first))
            _ = try await redis.client.send(RedisCommand("CONFIG", "SET", "maxmemory", 0))
            store.store(try TestVariant(width: 42))
            try await eventually { store.counters.writes == 2 }
        }
    }

    @Test func withoutTheServerNothingIsReadOrStored() async throws {
        let client = RedisClient(
            RedisConfiguration(address: try RedisAddress("redis://127.0.0.1:1")), logger: LogRecorder().logger())
        let store = RedisVariantStore(client)
        let variant = try TestVariant()
        #expect(!store.isWorthReading(variant.key))
        store.store(variant)
        #expect(await store.poster(for: variant.key) == nil)
        #expect(store.counters.dropped == 1)
        await store.removeAll(of: variant.key.id)
        #expect(store.counters.pendingRemovals == 1)
    }
}
