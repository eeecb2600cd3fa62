import Flights
import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Stale responses of upstreams", .timeLimit(.hang))
struct RevalidationTests {
    private let first = #"{"a":1}"#
    private let second = #"{"a":2}"#

    @Test func aStaleResponseIsReturnedWhileItIsRevalidated() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            upstream.on("GET", "/film", inTurn: [.json(self.first), .held(gate, .json(self.second))])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            let recorder = FreshnessRecorder()
            try await FreshnessRecorder.$current.withValue(recorder) {
                _ = try await client.text("/film")
                #expect(recorder.staleness == nil && recorder.age == 0)
                rig.clock.advance(by: .seconds(3661))
                for _ in 0..<50 { #expect(try await client.text("/film") == self.first) }
            }
            #expect(recorder.staleness == Staleness(seconds: 61, reason: .revalidating) && recorder.age == 3661)
            try await upstream.requestsArrived(at: "/film", count: 2)
            gate.open()
            try await client.settle()
            let later = FreshnessRecorder()
            let text = try await FreshnessRecorder.$current.withValue(later) { try await client.text("/film") }
            #expect(text == self.second && later.staleness == nil)
            #expect(upstream.requestCount(to: "/film") == 2)
        }
    }

    @Test(arguments: [true, false])
    func whatWasStoredBeforeItsLastFormIsOnlyUsedWhenTheUpstreamFails(isInMemory: Bool) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.first), .status(500), .json(self.second)])
            let rig = try UpstreamFixture(upstream)
            let settledAt = rig.clock.now().adding(.seconds(600))
            let request = UpstreamRequest("/film", settledAt: settledAt)
            var client = rig.client()
            func get() async throws -> String? {
                if !isInMemory { client = rig.client() }
                return try await client.get(request) { String(decoding: $0.body, as: UTF8.self) }
            }
            #expect(try await get() == self.first)
            rig.clock.advance(by: .seconds(599))
            #expect(try await get() == self.first)
            #expect(upstream.requestCount(to: "/film") == 1)
            rig.clock.advance(by: .seconds(1))
            let recorder = FreshnessRecorder()
            let failed = try await FreshnessRecorder.$current.withValue(recorder) { try await get() }
            #expect(failed == self.first && recorder.staleness?.reason == .originFailed)
            rig.clock.advance(by: .seconds(31))
            #expect(try await get() == self.second)
            rig.clock.advance(by: .seconds(60))
            #expect(try await get() == self.second)
            #expect(upstream.requestCount(to: "/film") == 3)
        }
    }

    @Test func aProvisionalResponseThatIsConfirmedIsNotFreshForLonger() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/film",
                inTurn: [.json(self.first, headers: [("ETag", "\"1\"")]), .status(304), .json(self.second)])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { _ in .shortLived(.seconds(60)) }
            for (seconds, text) in [(0, self.first), (61, self.first), (61, self.second)] {
                rig.clock.advance(by: .seconds(seconds))
                #expect(try await client.text("/film") == text)
            }
            #expect(upstream.requestCount(to: "/film") == 3)
        }
    }

    @Test func theStoreOfAnotherProcessIsEnough() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.first), .held(Gate(), .json(self.second))])
            _ = try await UpstreamFixture(upstream, store: store).client().text("/film")
            let rig = try UpstreamFixture(upstream, store: store)
            rig.clock.advance(by: .seconds(3601))
            let client = rig.client()
            #expect(try await client.text("/film") == self.first)
            try await upstream.requestsArrived(at: "/film", count: 2)
            client.close()
        }
    }

    @Test(arguments: [OriginScript.status(500), .html(), .closeEarly(declared: 100, sent: [123])])
    func aFailedRevalidationIsRepeatedAfterThirtySeconds(script: OriginScript) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.first), script])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(3601))
            for (seconds, count) in [(0, 2), (29, 2), (1, 3), (0, 3)] {
                rig.clock.advance(by: .seconds(seconds))
                let recorder = FreshnessRecorder()
                let text = try await FreshnessRecorder.$current.withValue(recorder) { try await client.text("/film") }
                #expect(text == self.first)
                #expect(recorder.staleness?.reason == (count == 2 && seconds == 0 ? .revalidating : .originFailed))
                try await client.settle()
                #expect(upstream.requestCount(to: "/film") == count)
            }
        }
    }

    @Test func memoryIsEnoughWithoutAStore() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.first), .status(500)])
            let rig = try UpstreamFixture(upstream, store: nil)
            let client = rig.client()
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(3601))
            for _ in 0..<3 {
                #expect(try await client.text("/film") == self.first)
                try await client.settle()
            }
            #expect(upstream.requestCount(to: "/film") == 2)
        }
    }

    @Test func theStalestPartOfAResponseCounts() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/old", .json("{}"))
            upstream.on("GET", "/new", .json("{}"))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/old")
            rig.clock.advance(by: .seconds(1000))
            _ = try await client.text("/new")
            rig.clock.advance(by: .seconds(3700))
            let recorder = FreshnessRecorder()
            try await FreshnessRecorder.$current.withValue(recorder) {
                _ = try await client.text("/old")
                _ = try await client.text("/new")
            }
            #expect(recorder.staleness == Staleness(seconds: 1100, reason: .revalidating) && recorder.age == 4700)
            try await client.settle()
        }
    }

    @Test func aRevalidationEndsWithTheClient() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.first), .hangBeforeHeaders])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(3601))
            _ = try await client.text("/film")
            try await upstream.requestsArrived(at: "/film", count: 2)
            client.close()
            try await upstream.origin.connectionClosed(1)
            #expect(try await client.text("/film") == self.first, "what is stored is returned all the same")
            #expect(client.revalidations.count == 0)
        }
    }

    @Test func aProvisionalResponseIsNotReturnedWhileAnotherIsToBeHad() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json("{}"), .json(self.second)])
            upstream.on("GET", "/failing", inTurn: [.json("{}"), .status(500)])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { $0.body.count == 2 ? .shortLived(.seconds(60)) : .byStatus }
            _ = try await client.text("/film")
            _ = try await client.text("/failing")
            rig.clock.advance(by: .seconds(61))
            #expect(try await client.text("/film") == self.second)
            let recorder = FreshnessRecorder()
            try await FreshnessRecorder.$current.withValue(recorder) {
                for _ in 0..<2 {
                    let text = try await client.text("/failing")
                    #expect(text == "{}")
                }
            }
            #expect(recorder.staleness == Staleness(seconds: 1, reason: .originFailed))
            #expect(upstream.requestCount(to: "/failing") == 2)
        }
    }

    @Test func atMostEightAreRevalidatedAtOnce() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            let paths = (1...20).map { "/\($0)" }
            for path in paths {
                upstream.on("GET", path, inTurn: [.json(self.first), .held(gate, .json(self.second))])
            }
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            for path in paths { _ = try await client.text(path) }
            rig.clock.advance(by: .seconds(3601))
            for path in paths { #expect(try await client.text(path) == self.first) }
            #expect(client.revalidations.count == 8)
            gate.open()
            try await client.settle()
            #expect(upstream.requests.count == 28)
            for path in paths { _ = try await client.text(path) }
            try await client.settle()
            #expect(upstream.requests.count == 36, "the others have their turn at a later use")
        }
    }

    @Test func thatThereIsNoSuchThingAnyMoreIsBelievedTheSecondTime() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(self.first), .json("{}", status: 404)])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { $0.status == 404 ? .missing : .byStatus }
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(3601))
            for seconds in [31, 31, 269] {
                #expect(try await client.text("/film") == self.first)
                try await client.settle()
                rig.clock.advance(by: .seconds(seconds))
            }
            #expect(try await client.text("/film") == self.first, "which starts the revalidation that is believed")
            try await client.settle()
            #expect(try await client.text("/film") == nil)
            #expect(upstream.requestCount(to: "/film") == 5)
        }
    }
}
