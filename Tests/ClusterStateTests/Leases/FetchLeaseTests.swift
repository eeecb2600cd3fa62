import Flights
import Glibc
import PosterPipeline
import PosterTesting
import RedisClient
import RedisTesting
import Synchronization
import Testing

@testable import ClusterState

@Suite(
    .timeLimit(.hang), .enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)))
struct FetchLeaseTests {
    private static let location = OriginalLocation.web(url: "https://pictures.example/heat.jpg")
    private let id: PosterID
    private let clock = ManualClock()

    init() throws {
        self.id = try PosterID(key: "heat")
    }

    /// - Parameter pauses: Records the pauses, which take no time.
    private func leases(
        _ redis: RedisFixture, stored: Gate? = nil, pauses: PauseRecorder? = nil, isStoreAvailable: Bool = true,
        lease: Duration = .seconds(600),
        renewal: @escaping @Sendable () async throws -> Void = { try await Gate().wait() }
    ) -> RedisFetchLeases {
        var limits = RedisFetchLeases.Limits()
        limits.reply = .seconds(10)
        limits.lease = lease
        limits.failure = .seconds(60)
        limits.mark = .seconds(60)
        let clock = self.clock
        return RedisFetchLeases(
            redis: redis.client, limits: limits,
            whenStored: { _ in
                try await stored?.wait()
                return true
            }, isStoreAvailable: { isStoreAvailable }, now: self.clock.now,
            sleep: { duration in
                guard let pauses else { return try await Gate().wait() }
                let count = pauses.add(duration)
                clock.advance(by: duration)
                await pauses.whenAdded?(count)
            }, renewalSleep: { _ in try await renewal() })
    }

    private func lease(_ turn: FetchTurn) throws -> FetchLease {
        guard case .fetch(let lease?) = turn else { throw WrongTurn(turn: "\(turn)") }
        return lease
    }

    private struct WrongTurn: Error { let turn: String }

    private func isStored(_ turn: FetchTurn) -> Bool { if case .stored = turn { true } else { false } }

    @Test func oneNodeFetchesAndTheOthersReadWhatItStored() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let (pauses, stored) = (PauseRecorder(), Gate())
            let holder = self.leases(redis, stored: stored)
            let lease = try self.lease(try await holder.turn(for: self.id, at: Self.location))
            let ended = Gate()
            pauses.whenAdded = { count in
                // The fetch ends while the other node waits; the upload ends later.
                if count == 2 { lease.end(.fetched) }
                if count == 4 {
                    stored.open()
                    try? await eventually { holder.endingCount == 0 }
                    ended.open()
                }
            }
            let other = self.leases(redis, pauses: pauses)
            #expect(self.isStored(try await other.turn(for: self.id, at: Self.location)))
            #expect(ended.isOpen)
            #expect(pauses.all == [25, 50, 100, 200].map { .milliseconds($0) })
            #expect(
                self.isStored(try await holder.turn(for: self.id, at: Self.location)),
                "for a while it is known that it is stored")
        }
    }

    @Test func afterAFetchThatFailedTheNextNodeFetches() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let holder = self.leases(redis)
            try self.lease(try await holder.turn(for: self.id, at: Self.location)).end(.abandoned)
            try await eventually { holder.endingCount == 0 }
            let pauses = PauseRecorder()
            _ = try self.lease(try await self.leases(redis, pauses: pauses).turn(for: self.id, at: Self.location))
            #expect(pauses.all.isEmpty)
        }
    }

    @Test(arguments: [
        PosterError.originUnavailable(reason: "503 \u{e9}", retryAfter: 7), .originBusy(retryAfter: 3),
        .originTooSlow(reason: "20 s"), .originRefused(reason: "403"), .badOriginal(reason: "no picture"),
        .unsupportedImage(reason: "a TIFF"), .overLimit(reason: "too large"),
    ])
    func nodesThatWaitReportTheFailureOfTheFetch(_ failure: PosterError) async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let holder = self.leases(redis)
            let lease = try self.lease(try await holder.turn(for: self.id, at: Self.location))
            let pauses = PauseRecorder()
            pauses.whenAdded = { count in
                guard count == 2 else { return }
                lease.end(.failed(failure))
                try? await eventually { holder.endingCount == 0 }
            }
            let turn = try await self.leases(redis, pauses: pauses).turn(for: self.id, at: Self.location)
            guard case .failed(failure) = turn else { throw WrongTurn(turn: "\(turn)") }
            #expect(pauses.all.count == 2)
            // The failure does not apply to another picture of the same poster.
            let successor = OriginalLocation.web(url: "https://pictures.example/heat-2.jpg")
            _ = try self.lease(try await holder.turn(for: self.id, at: successor))
        }
    }

    @Test(arguments: [LeasedFetchOutcome.fetched, .failed(.badOriginal(reason: "no picture"))])
    func afterAPurgeAnEarlierFetchDoesNotCount(_ outcome: LeasedFetchOutcome) async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let holder = self.leases(redis)
            func endAnother(_ leases: RedisFetchLeases) async throws {
                try self.lease(try await leases.turn(for: self.id, at: Self.location)).end(outcome)
                try await eventually { leases.endingCount == 0 }
            }
            func isToFetch(_ leases: RedisFetchLeases) async throws -> Bool {
                if case .fetch = try await leases.turn(for: self.id, at: Self.location) { true } else { false }
            }
            try await endAnother(holder)
            holder.forgetOutcome(of: try PosterID(key: "alien"))
            #expect(try await !isToFetch(holder))
            holder.forgetOutcome(of: self.id)
            try await endAnother(holder)
            #expect(try await !isToFetch(self.leases(redis)), "a node without the purge reads the last outcome")
            // An outcome after the purge counts.
            self.clock.advance(by: .seconds(30))
            #expect(try await !isToFetch(holder))
        }
    }

    @Test(arguments: [
        PosterError.storageFailed(reason: "the disk is full"),
        .originSuspended(retryAfter: 30),
    ])
    func aFailureOfTheNodeItselfIsNotShared(_ failure: PosterError) async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let holder = self.leases(redis)
            try self.lease(try await holder.turn(for: self.id, at: Self.location)).end(.failed(failure))
            try await eventually { holder.endingCount == 0 }
            _ = try self.lease(try await self.leases(redis).turn(for: self.id, at: Self.location))
        }
    }

    @Test func aLeaseIsRenewedWhileItsHolderFetches() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let (begin, renewed) = (Gate(), Gate())
            let isFirst = Mutex(true)
            let holder = self.leases(redis, lease: .seconds(60)) {
                // The second renewal pause begins after the first renewal.
                if isFirst.withLock({ first in
                    defer { first = false }; return first
                }) {
                    return try await begin.wait()
                }
                renewed.open()
                try await Gate().wait()
            }
            let lease = try self.lease(try await holder.turn(for: self.id, at: Self.location))
            let key = holder.key(of: self.id, at: Self.location)
            _ = try await redis.client.send(RedisCommand("PEXPIRE", key, 30_000))
            begin.open()
            try await renewed.wait()
            #expect(try #require(try await redis.client.send(RedisCommand("PTTL", key)).number) > 30_000)
            lease.end(.abandoned)
            try await eventually { holder.endingCount == 0 }
            #expect(try await redis.client.send(RedisCommand("EXISTS", key)).number == 0)
        }
    }

    @Test func theLeaseOfANodeThatWasKilledIsOverAfterThreeSeconds() {
        #expect(RedisFetchLeases.Limits().lease == .seconds(3))
    }

    @Test func theWaitIsBounded() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let holder = self.leases(redis)
            let held = try self.lease(try await holder.turn(for: self.id, at: Self.location))
            let pauses = PauseRecorder()
            let lease = try self.lease(
                try await self.leases(redis, pauses: pauses).turn(for: self.id, at: Self.location))
            #expect(pauses.all.reduce(.zero, +) == .seconds(30))
            lease.end(.abandoned)
            // The end has no effect: the lease belongs to another node.
            let third = PauseRecorder()
            _ = try await self.leases(redis, pauses: third).turn(for: self.id, at: Self.location)
            #expect(third.all.reduce(.zero, +) == .seconds(30))
            held.end(.abandoned)
        }
    }

    @Test func otherOriginalsAreNotWaitedFor() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let leases = self.leases(redis)
            _ = try self.lease(try await leases.turn(for: self.id, at: Self.location))
            _ = try self.lease(try await leases.turn(for: try PosterID(key: "alien"), at: Self.location))
        }
    }

    @Test func aCallerThatLeavesWaitsNoLonger() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let leases = self.leases(redis)
            _ = try self.lease(try await leases.turn(for: self.id, at: Self.location))
            let isAsleep = Gate()
            var limits = RedisFetchLeases.Limits()
            limits.reply = .seconds(10)
            let other = RedisFetchLeases(
                redis: redis.client, limits: limits, whenStored: { _ in true },
                sleep: { _ in
                    isAsleep.open()
                    try await Gate().wait()
                })
            let id = self.id
            let waiter = Task { try await other.turn(for: id, at: Self.location) }
            try await isAsleep.wait()
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
    }

    @Test func aCallerThatLeavesBeforeTheReplyLeavesNoLease() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let leases = self.leases(redis)
            // Loads the script into Redis.
            _ = try self.lease(try await leases.turn(for: try PosterID(key: "alien"), at: Self.location))
            redis.server.signal(SIGSTOP)
            let id = self.id
            let caller = Task { try await leases.turn(for: id, at: Self.location) }
            try await eventually { redis.client.status.inFlightCount == 1 }
            caller.cancel()
            await #expect(throws: CancellationError.self) { try await caller.value }
            redis.server.signal(SIGCONT)
            try await eventually { leases.endingCount == 0 }
            let key = leases.key(of: id, at: Self.location)
            #expect(try await redis.client.send(RedisCommand("EXISTS", key)).number == 0)
        }
    }

    @Test func whileTheStoreFailsNoNodeWaitsForAnother() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            _ = try self.lease(try await self.leases(redis).turn(for: self.id, at: Self.location))
            let pauses = PauseRecorder()
            let leases = self.leases(redis, pauses: pauses, isStoreAvailable: false)
            #expect(try await self.isWithoutLease(leases) && pauses.all.isEmpty)
        }
    }

    @Test func afterRepliesThatComeTooLateThereAreNoLeasesForAWhile() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            var limits = RedisFetchLeases.Limits()
            limits.reply = .milliseconds(5)
            let clock = self.clock
            let leases = RedisFetchLeases(
                redis: redis.client, limits: limits, whenStored: { _ in true }, now: clock.now)
            redis.server.signal(SIGSTOP)
            defer { redis.server.signal(SIGCONT) }
            for _ in 0..<5 { _ = try self.lease(try await leases.turn(for: self.id, at: Self.location)) }
            #expect(try await self.isWithoutLease(leases) && !leases.isProbing)
            clock.advance(by: .seconds(1))
            #expect(try await self.isWithoutLease(leases), "no fetch waits for what is found out in the background")
            try await eventually { !leases.isProbing }
            clock.advance(by: .seconds(1))
            #expect(try await self.isWithoutLease(leases))
            #expect(!leases.isProbing, "the pause is longer after each failure")

            redis.server.signal(SIGCONT)
            try await eventually {
                clock.advance(by: .seconds(30))
                return try await !self.isWithoutLease(leases)
            }
        }
    }

    private func isWithoutLease(_ leases: RedisFetchLeases) async throws -> Bool {
        if case .fetch(nil) = try await leases.turn(for: self.id, at: Self.location) { true } else { false }
    }

    @Test func withoutRedisThereIsNoWait() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            redis.server.kill()
            try await eventually { !redis.client.isConnected }
            guard case .fetch(nil) = try await self.leases(redis).turn(for: self.id, at: Self.location) else {
                Issue.record("a lease without Redis")
                return
            }
        }
    }
}

/// Records pauses and runs an action during each.
private final class PauseRecorder: Sendable {
    private let state = Mutex<[Duration]>([])
    private let action = Mutex<(@Sendable (Int) async -> Void)?>(nil)

    var all: [Duration] { self.state.withLock { $0 } }

    /// Called with the number of pauses so far.
    var whenAdded: (@Sendable (Int) async -> Void)? {
        get { self.action.withLock { $0 } }
        set { self.action.withLock { $0 = newValue } }
    }

    func add(_ pause: Duration) -> Int {
        self.state.withLock { state in
            state.append(pause)
            return state.count
        }
    }
}
