import Flights
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.minutes(1)))
struct AdmissionTests {
    private func house(threads: Int = 1, queueLimit: Int = 10, weightLimit: Int = .max) -> House {
        let house = House(threads: threads, queueLimit: queueLimit, weightLimit: weightLimit)
        for key in ["heat", "ronin"] {
            house.source.set(
                TestPicture.jpeg(width: 200, height: 300), for: key, etag: "\"1\"",
                caching: CachingFields(cacheControl: "max-age=86400"))
        }
        return house
    }

    private func waitFor(_ count: Int, at level: Urgency.Level, in house: House) async {
        while house.threads.usage.waiting[level] != count { await Task.yield() }
    }

    @Test func aWarmUpThatWaitsIsPromotedWhenAClientAsksForIt() async throws {
        let house = self.house()
        let (release, end) = try await house.occupyThread()
        let request = try House.request("heat", width: 92)
        let warming = Task { try await house.answer(request, level: .warming) }
        await self.waitFor(1, at: .warming, in: house)
        let client = Task { try await house.answer(request) }
        await self.waitFor(1, at: .interactive, in: house)
        #expect(house.threads.usage.waitingCount == 1)
        release.open()
        try await end.value
        _ = try await warming.value
        let (_, provenance) = try House.variant(try await client.value)
        #expect(provenance.isShared && house.pipeline.renderCount == 1)
    }

    @Test func aRequestOverTheBoundIsToldWhenToComeAgain() async throws {
        let house = self.house(queueLimit: 1)
        let (release, end) = try await house.occupyThread()
        let waiting = Task { try await house.answer(try House.request("heat", width: 92)) }
        await self.waitFor(1, at: .interactive, in: house)
        let other = try House.request("ronin", width: 92)
        await #expect(throws: PosterError.overloaded(retryAfter: 1)) { try await house.answer(other) }
        release.open()
        try await end.value
        _ = try await waiting.value
        #expect(house.pipeline.status.overloaded == 1)
    }

    @Test func overTheBoundTheVariantOfTheBytesBeforeIsAnsweredIfThereIsOne() async throws {
        let house = self.house(queueLimit: 0)
        let request = try House.request("heat", width: 92)
        let (old, _) = try House.variant(try await house.answer(request))
        house.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 2), for: "heat", etag: "\"2\"")
        house.day.advance(by: .seconds(86_400))
        _ = try house.known(request)
        while house.source.fetchCount(of: "heat") < 2 || house.pipeline.status.revalidations > 0 { await Task.yield() }

        let (release, end) = try await house.occupyThread()
        let (poster, provenance) = try House.variant(try await house.answer(request))
        #expect(poster.entityTag == old.entityTag)
        #expect(provenance.staleness == Staleness(seconds: 0, reason: .overloaded))
        let other = try House.request("heat", width: 60)
        await #expect {
            try await house.answer(other)
        } throws: { error in
            guard case .overloaded(let retryAfter)? = error as? PosterError else { return false }
            return (1...60).contains(retryAfter)
        }
        release.open()
        try await end.value
        let (new, _) = try House.variant(try await house.answer(request))
        #expect(new.entityTag != old.entityTag)
    }

    @Test func rendersTogetherStayWithinOneBudgetOfMemory() async throws {
        let house = self.house(threads: 4, weightLimit: 1)
        let (held, release) = (Gate(), Latch())
        let holder = Task {
            try await house.threads.run(weight: 1) {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        let client = Task { try await house.answer(try House.request("heat", width: 92)) }
        await self.waitFor(1, at: .interactive, in: house)
        #expect(house.threads.usage.held == 1, "though three threads are idle")
        release.open()
        try await holder.value
        _ = try await client.value
        #expect(house.threads.usage.weight == 0)
    }

    // MARK: Clients that leave, phase by phase

    /// Two clients reach a phase; one leaves and the other is served.
    private func oneLeaves(
        _ house: House, _ request: PosterRequest, reached: () async throws -> Void, release: () -> Void
    ) async throws {
        let staying = Task { try await house.answer(request) }
        try await reached()
        let leaving = Task { try await house.answer(request) }
        let id = request.id
        while house.pipeline.originalWaiterCount(for: id) + house.pipeline.renderWaiterCount < 2 { await Task.yield() }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        release()
        _ = try House.variant(try await staying.value)
        #expect(house.source.fetchCount(of: "heat") == 1 && house.pipeline.renderCount == 1)
    }

    /// Two clients reach a phase and leave, and the work stops there.
    private func bothLeave(
        _ house: House, _ request: PosterRequest, reached: () async throws -> Void, release: () -> Void
    ) async throws {
        let clients = (0..<2).map { _ in Task { try await house.answer(request) } }
        try await reached()
        for client in clients { client.cancel() }
        for client in clients { await #expect(throws: CancellationError.self) { try await client.value } }
        release()
        while house.threads.load > 0 { await Task.yield() }
        #expect(house.pipeline.renderCount == 0 && house.variants.usage.count == 0)
    }

    @Test func clientsThatLeaveWhileItIsFetched() async throws {
        let request = try House.request("heat", width: 92)
        for isLast in [false, true] {
            let gate = Gate()
            let house = House(gate: gate)
            house.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
            let reached = {
                while house.source.fetchCount(of: "heat") < 1 { await Task.yield() }
            }
            if isLast {
                try await self.bothLeave(house, request, reached: reached, release: {})
                while house.source.cancellationCount < 1 { await Task.yield() }
            } else {
                try await self.oneLeaves(house, request, reached: reached, release: gate.open)
            }
        }
    }

    @Test func clientsThatLeaveWhileItIsStored() async throws {
        let request = try House.request("heat", width: 92)
        for isLast in [false, true] {
            let gate = Gate()
            let store = HeldStore(gate: gate)
            let house = House(store: store)
            house.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
            if isLast {
                try await self.bothLeave(house, request, reached: store.reached.wait, release: {})
                #expect(store.memory.count == 0)
            } else {
                try await self.oneLeaves(house, request, reached: store.reached.wait, release: gate.open)
            }
        }
    }

    @Test func clientsThatLeaveWhileItWaitsForAThread() async throws {
        let request = try House.request("heat", width: 92)
        for isLast in [false, true] {
            let house = self.house()
            let (release, end) = try await house.occupyThread()
            let reached = {
                while house.threads.usage.waitingCount < 1 { await Task.yield() }
            }
            if isLast {
                try await self.bothLeave(house, request, reached: reached, release: release.open)
            } else {
                try await self.oneLeaves(house, request, reached: reached, release: release.open)
            }
            try await end.value
        }
    }

    /// Stops the codec at its nth look at the clock.
    private final class HeldLook: Sendable {
        let reached = Gate()
        let release = Latch()
        private let looks = Counter()
        private let stop: Int

        init(at stop: Int) {
            self.stop = stop
        }

        var count: Int { self.looks.value }

        func now() -> UInt64 {
            self.looks.increment()
            if self.looks.value == self.stop {
                self.reached.open()
                self.release.wait()
            }
            return UInt64(self.looks.value)
        }
    }

    /// - Parameter part: Where to stop, as a part of all looks: WebP is encoded after the last row is decoded.
    @Test(arguments: [0.5, 1.0])
    func clientsThatLeaveWhileItIsDecodedOrEncoded(_ part: Double) async throws {
        let request = try House.request("heat", width: 92, format: .webp)
        let picture = TestPicture.jpeg(width: 400, height: 600)
        let all = HeldLook(at: 0)
        let rehearsal = House(now: all.now)
        rehearsal.source.set(picture, for: "heat")
        _ = try await rehearsal.answer(request)
        // The last look is after the encoding, the one before it where that begins.
        let stop = part < 1 ? Int(Double(all.count) * part) : all.count - 1
        for isLast in [false, true] {
            let held = HeldLook(at: stop)
            let house = House(now: held.now)
            house.source.set(picture, for: "heat")
            if isLast {
                try await self.bothLeave(house, request, reached: held.reached.wait, release: held.release.open)
            } else {
                try await self.oneLeaves(house, request, reached: held.reached.wait, release: held.release.open)
            }
        }
    }
}
