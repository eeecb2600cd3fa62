import Flights
import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Supplements of responses", .timeLimit(.hang))
struct SupplementTests {
    private let text = #"{"a":1}"#

    /// Requests a supplement for a separate response.
    private func ask(
        _ client: UpstreamClient, _ path: String = "/film", recorder: FreshnessRecorder = FreshnessRecorder()
    ) async throws -> String? {
        try await FreshnessRecorder.$current.withValue(recorder) {
            try await Supplement.ask { try await client.text(path) }
        }
    }

    @Test func aSupplementInTimeIsPartOfTheResponse() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json(self.text))
            let client = try UpstreamFixture(upstream).client()
            let recorder = FreshnessRecorder()
            for _ in 0..<2 { #expect(try await self.ask(client, recorder: recorder) == self.text) }
            try await client.settle()
            #expect(!recorder.hasGaps && upstream.requests.count == 1)
        }
    }

    @Test func aLateSupplementIsLeftOutAndThereNextTime() async throws {
        try await withUpstream { upstream in
            let (gate, deadline) = (Gate(), Gate())
            upstream.on("GET", "/film", .held(gate, .json(self.text)))
            var rig = try UpstreamFixture(upstream)
            rig.sleep = { _ in try await deadline.wait() }
            let client = rig.client()
            let recorder = FreshnessRecorder()
            let response = Task { try await self.ask(client, recorder: recorder) }
            try await upstream.requestsArrived(at: "/film")
            try await eventually { client.flights.waiterCount == 2 }
            deadline.open()
            await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await response.value }
            #expect(recorder.hasGaps)
            gate.open()
            try await client.settle()
            let second = FreshnessRecorder()
            #expect(try await self.ask(client, recorder: second) == self.text)
            #expect(!second.hasGaps && upstream.requests.count == 1)
        }
    }

    @Test func whatWasLateIsNotAwaitedAgain() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            upstream.on("GET", "/film", .held(gate, .json(self.text)))
            let waits = Counter()
            var rig = try UpstreamFixture(upstream)
            rig.sleep = { _ in waits.increment() }
            let client = rig.client()
            for _ in 0..<3 {
                let recorder = FreshnessRecorder()
                await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await self.ask(client, recorder: recorder) }
                #expect(recorder.hasGaps)
            }
            #expect(waits.value == 1)
            gate.open()
            try await client.settle()
            #expect(try await self.ask(client) == self.text)
        }
    }

    @Test func whatFailedIsAskedForAgainAfterThirtySecondsWithoutWaiting() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.status(500), .json(self.text)])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            let failure = SourceFailure.unavailable(.tmdb, reason: "status 500")
            for _ in 0..<2 { await #expect(throws: failure) { try await self.ask(client) } }
            try await client.settle()
            #expect(upstream.requests.count == 1)
            rig.clock.advance(by: .seconds(31))
            await #expect(throws: failure) { try await self.ask(client) }
            try await client.settle()
            #expect(try await self.ask(client) == self.text)
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func allSupplementsOfAResponseShareOneDeadline() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/a", .hangBeforeHeaders)
            upstream.on("GET", "/b", .hangBeforeHeaders)
            let start = ContinuousClock.now
            let waits = AwaitedState<[Duration]>([])
            var rig = try UpstreamFixture(upstream)
            rig.sleep = { duration in waits.change { $0.append(duration) } }
            let client = rig.client()
            let recorder = FreshnessRecorder(now: { start.advanced(by: waits.value.reduce(.zero, +)) })
            for path in ["/a", "/b"] {
                await #expect(throws: SourceFailure.tooSlow(.tmdb)) {
                    try await self.ask(client, path, recorder: recorder)
                }
            }
            #expect(waits.value == [.seconds(1)], "nothing is left for the second")
            client.close()
        }
    }

    @Test func aClientThatLeavesDoesNotEndASupplement() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            upstream.on("GET", "/film", .held(gate, .json(self.text)))
            let client = try UpstreamFixture(upstream).client()
            let response = Task { try await self.ask(client) }
            try await upstream.requestsArrived(at: "/film")
            try await eventually { client.flights.waiterCount == 2 }
            response.cancel()
            await #expect(throws: CancellationError.self) { try await response.value }
            gate.open()
            try await client.settle()
            #expect(try await self.ask(client) == self.text)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func aStoredSupplementIsNeverAwaited() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.text), .hangBeforeHeaders])
            _ = try await self.ask(UpstreamFixture(upstream, store: store).client())
            let rig = try UpstreamFixture(upstream, store: store)
            rig.clock.advance(by: .seconds(3601))
            let client = rig.client()
            let recorder = FreshnessRecorder()
            #expect(try await self.ask(client, recorder: recorder) == self.text)
            #expect(recorder.staleness?.seconds == 1 && !recorder.hasGaps)
            try await upstream.requestsArrived(at: "/film", count: 2)
            client.close()
        }
    }

    @Test func aRefusedSupplementIsNoFailure() async throws {
        try await withUpstream { upstream in
            for path in ["/film", "/other"] { upstream.on("GET", path, .json(self.text)) }
            let client = try UpstreamFixture(upstream).client()
            let recorder = FreshnessRecorder(supplementLimit: 1)
            #expect(try await self.ask(client, recorder: recorder) == self.text)
            await #expect(throws: SourceFailure.tooSlow(.tmdb)) {
                try await self.ask(client, "/other", recorder: recorder)
            }
            try await client.settle()
            #expect(recorder.hasGaps && upstream.requestCount(to: "/other") == 0)
            // Stored supplements do not count.
            #expect(try await self.ask(client, recorder: recorder) == self.text)
            let next = FreshnessRecorder(supplementLimit: 1)
            #expect(try await self.ask(client, recorder: next) == self.text)
            #expect(try await self.ask(client, "/other", recorder: next) == self.text)
            #expect(!next.hasGaps && upstream.requests.count == 2)
        }
    }

    @Test func whatIsUnderWayIsFree() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            upstream.on("GET", "/film", .held(gate, .json(self.text)))
            let client = try UpstreamFixture(upstream).client()
            let first = Task { try await self.ask(client) }
            try await upstream.requestsArrived(at: "/film")
            try await eventually { client.flights.waiterCount == 2 }
            let recorder = FreshnessRecorder(supplementLimit: 0)
            let second = Task { try await self.ask(client, recorder: recorder) }
            try await eventually { client.flights.waiterCount == 3 }
            gate.open()
            #expect(try await first.value == self.text)
            #expect(try await second.value == self.text)
            #expect(!recorder.hasGaps && upstream.requests.count == 1)
        }
    }

    @Test func workInTheBackgroundBelongsToNoResponse() async throws {
        let seen = AwaitedState<[Bool]>([])
        await FreshnessRecorder.$current.withValue(FreshnessRecorder()) {
            await Supplement.ask {
                await UpstreamClient.inBackground {
                    let isOutside = FreshnessRecorder.current == nil && !Supplement.isCurrent
                    let isLow = Urgency.current?.level == .revalidation
                    seen.change { $0 += [isOutside, isLow] }
                }
                #expect(FreshnessRecorder.current != nil && Supplement.isCurrent)
            }
        }
        #expect(seen.value == [true, true])
    }
}
