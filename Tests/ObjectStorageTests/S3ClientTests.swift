import Flights
import HTTPFetch
import InMemoryTracing
import PosterTesting
import Testing
import Tracing

@testable import ObjectStorage

@Suite(.timeLimit(.hang))
struct S3ClientTests {
    private let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test func objectsAreStoredReadListedAndDeleted() async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin, pageLength: 2)
            let client = try ClientFixture.client(origin.baseURL)
            #expect(try await client.bytes("a") == nil)
            for key in ["a", "b/c", "d"] { #expect(try await client.put(self.bytes, as: key) == .stored) }
            let read = try #require(try await client.bytes("b/c"))
            #expect(read.bytes == self.bytes)
            #expect(read.fields == ["x-amz-meta-version": "1", "x-amz-meta-etag": "\"a%20b\""])
            let (keys, pages) = try await client.keys()
            #expect(keys == ["a", "b/c", "d"] && pages == 2)
            try await client.delete("a")
            try await client.delete("a")
            #expect(Set(bucket.objects.keys) == ["p/b/c", "p/d"])
            for request in origin.requests {
                #expect(request.headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=") == true)
            }
        }
    }

    @Test(arguments: [ScriptedBucket.Conditions.honoured, .ignored, .refused])
    func anObjectStaysWhereTheStoreKnowsConditions(_ conditions: ScriptedBucket.Conditions) async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin, conditions: conditions)
            let client = try ClientFixture.client(origin.baseURL)
            #expect(try await client.put([1], as: "a", onlyIfAbsent: true) == .stored)
            let second = try await client.put([2], as: "a", onlyIfAbsent: true)
            #expect(second == (conditions == .honoured ? .exists : .stored))
            #expect(bucket.objects["p/a"]?.bytes == (conditions == .honoured ? [1] : [2]))
            #expect(try await client.put([3], as: "a") == .stored)
            #expect(bucket.objects["p/a"]?.bytes == [3])
            // A store that does not support conditions is asked once.
            if conditions == .refused {
                #expect(origin.requests.count { $0.headers["if-none-match"] != nil } == 1)
            }
        }
    }

    @Test func aRequestIsASpan() async throws {
        let tracer = InMemoryTracer()
        try await withOrigin { origin in
            _ = ScriptedBucket("posters", on: origin)
            let client = try ClientFixture.client(origin.baseURL)
            try await withTracer(tracer) {
                _ = try await client.put([1], as: "a")
                _ = try await client.bytes("a")
            }
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["object store", "object store"])
        #expect(spans.map { $0.attributes.get("rpc.method") } == [.string("put"), .string("get")])
        #expect(spans.allSatisfy { $0.attributes.get("aws.s3.bucket") == .string("posters") })
        #expect(spans.allSatisfy { $0.attributes.get("http.response.status_code") == .int64(200) })
    }

    @Test func aBodyThatBreaksOffIsResumed() async throws {
        let bytes = self.bytes
        try await withOrigin { origin in
            origin.on("/posters/p/a") { request in
                guard request.headers["range"] == nil else { return .ranged(bytes, etag: "\"1\"", for: request) }
                return .cut(bytes, after: 2000, headers: [("ETag", "\"1\""), ("x-amz-meta-version", "1")])
            }
            let client = try ClientFixture.client(origin.baseURL)
            let read = try #require(try await client.bytes("a"))
            #expect(read.bytes == bytes && read.fields["x-amz-meta-version"] == "1")
            #expect(origin.requests.map { $0.headers["range"] } == [nil, "bytes=2000-"])
        }
    }

    @Test("ranges under a 200, and servers without ranges", arguments: [true, false])
    func aServerMayAnswerARangeWith200(isPart: Bool) async throws {
        let bytes = self.bytes
        try await withOrigin { origin in
            origin.on("/posters/p/a") { request in
                guard request.headers["range"] != nil else {
                    return .cut(bytes, after: 2000, headers: [("ETag", "\"1\"")])
                }
                let range = [("ETag", "\"1\""), ("Content-Range", "bytes 2000-4999/5000")]
                return isPart
                    ? .answer(headers: range, body: Array(bytes[2000...]))
                    : .answer(headers: [("ETag", "\"1\"")], body: bytes)
            }
            let client = try ClientFixture.client(origin.baseURL)
            #expect(try await client.bytes("a")?.bytes == bytes)
            #expect(origin.requests.count == 2)
        }
    }

    @Test func redirectsAreNotFollowed() async throws {
        try await withOrigin { origin in
            origin.on("/posters/p/a", .redirect(to: origin.url("/elsewhere"), status: 307))
            let client = try ClientFixture.client(origin.baseURL)
            await #expect(throws: StoreFailure.refused(status: 307, code: "redirects are not followed")) {
                _ = try await client.bytes("a")
            }
            #expect(origin.requests.count == 1)
        }
    }

    @Test func onlyTheStoresOwnHostMayBePrivate() throws {
        let client = try ClientFixture.client(
            "http://127.0.0.1:1",
            changing: { configuration in
                configuration.fetch.allowPrivateAddresses = true
                configuration.fetch.allowedPrivateHosts = ["other.test"]
            })
        let own = client.configuration.ownFetch
        #expect(!own.allowPrivateAddresses && own.allowedPrivateHosts == ["127.0.0.1"])
        #expect(own.allowedPrivateNetworks.isEmpty && own.maxRedirects == 0)
    }

    @Test(
        arguments: [
            (404, "NoSuchBucket", .refused(status: 404, code: "NoSuchBucket")),
            (403, "SignatureDoesNotMatch", .refused(status: 403, code: "SignatureDoesNotMatch")),
            (503, "SlowDown", .unavailable("it answered with status 503 (SlowDown)")),
            (500, "", .unavailable("it answered with status 500")),
        ] as [(Int, String, StoreFailure)])
    func errorsHaveTheirCodes(status: Int, code: String, failure: StoreFailure) async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            bucket.fail(.error(status: status, code: code))
            let client = try ClientFixture.client(origin.baseURL)
            await #expect(throws: failure) { _ = try await client.bytes("a") }
            await #expect(throws: failure) { try await client.delete("a") }
            await #expect(throws: failure) { try await client.put([1], as: "a", onlyIfAbsent: true) }
            await #expect(throws: failure) { _ = try await client.list() }
        }
    }

    @Test func writesThatAreRefusedDoNotSuspendReads() async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            bucket.fail(.error(status: 403, code: "AccessDenied"))
            let client = try ClientFixture.client(origin.baseURL)
            let threshold = client.configuration.breaker.threshold
            let refusal = StoreFailure.refused(status: 403, code: "AccessDenied")
            for _ in 0..<threshold {
                await #expect(throws: refusal) { try await client.delete("a") }
                await #expect(throws: refusal) { try await client.put([1], as: "a") }
            }
            #expect(client.health.isAvailable)
            for _ in 0..<threshold { await #expect(throws: refusal) { _ = try await client.bytes("a") } }
            #expect(!client.health.isAvailable, "reads that are refused do")
        }
    }

    @Test func aStoreThatDoesNotAnswerIsNotWaitedFor() async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            bucket.fail(.hangs)
            // The response timeout expires once the request has arrived.
            let client = try ClientFixture.client(origin.baseURL) { _ in
                try await origin.requestsArrived { !$0.isEmpty }
            }
            let error = await #expect(throws: StoreFailure.self) { _ = try await client.bytes("a") }
            #expect(error == .unavailable("no answer within 0.5 seconds"))
            try await origin.allConnectionsClosed()
        }
    }

    @Test func anAnswerThatDoesNotEndIsNotWaitedFor() async throws {
        try await withOrigin { origin in
            origin.on("/posters/p/a", .hangInBody(after: [1, 2, 3]))
            let gate = Gate()
            let client = try ClientFixture.client(origin.baseURL) { _ in try await gate.wait() }
            let sink = WaitingSink(gate)
            let error = await #expect(throws: StoreFailure.self) { _ = try await client.get("a", into: sink) }
            #expect(error == .unavailable("not done within 5.0 seconds"))
        }
    }

    /// Opens a gate when bytes arrive.
    private final class WaitingSink: FetchSink {
        private let gate: Gate

        init(_ gate: Gate) {
            self.gate = gate
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
            self.gate.open()
            return true
        }
    }

    @Test func aStoreThatFailsIsLeftAloneUntilAProbeSucceeds() async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            bucket.objects = ["p/a": .init(bytes: [1], fields: [:])]
            bucket.fail(.error(status: 500, code: "InternalError"))
            let clock = ManualClock()
            let client = try ClientFixture.client(origin.baseURL, clock: clock)
            for _ in 0..<5 { await #expect(throws: StoreFailure.self) { _ = try await client.bytes("a") } }
            #expect(!client.health.isAvailable && client.health.waitForProbe == .seconds(30))
            await #expect(throws: StoreFailure.suspended) { _ = try await client.bytes("a") }
            await #expect(throws: StoreFailure.suspended) { try await client.probe() }
            #expect(origin.requests.count == 5)

            clock.advance(by: .seconds(30))
            #expect(client.health.waitForProbe == .zero)
            await #expect(throws: StoreFailure.suspended) { _ = try await client.bytes("a") }
            await #expect(throws: StoreFailure.self) { try await client.probe() }
            #expect(client.health.waitForProbe == .seconds(60), "it is left alone for longer each time")

            bucket.fail(nil)
            clock.advance(by: .seconds(60))
            try await client.probe()
            #expect(client.health.isAvailable)
            #expect(try await client.bytes("a")?.bytes == [1])
        }
    }

    /// - Parameter seconds: Duration of a write.
    @Test(arguments: [0, 1]) func writesThatTakeLongerThanReadsMaySayNothingOfReads(seconds: Int) async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            let clock = ManualClock()
            bucket.fail(
                .answers { request in
                    guard request.method == "PUT" else { return .status(500) }
                    clock.advance(by: .seconds(seconds))
                    return .status(200)
                })
            let client = try ClientFixture.client(origin.baseURL, clock: clock)
            for _ in 0..<4 {
                await #expect(throws: StoreFailure.self) { _ = try await client.bytes("a") }
                try await client.put([1], as: "b")
            }
            #expect(client.health.isAvailable)
            await #expect(throws: StoreFailure.self) { _ = try await client.bytes("a") }
            #expect(client.health.isAvailable == (seconds == 0))
        }
    }

    @Test func whatIsNotThereIsNoFailure() async throws {
        try await withOrigin { origin in
            _ = ScriptedBucket("posters", on: origin)
            let client = try ClientFixture.client(origin.baseURL)
            for number in 0..<20 { #expect(try await client.bytes("\(number)") == nil) }
            #expect(client.health.isAvailable)
        }
    }

    @Test func anAbandonedReadIsNoFailure() async throws {
        try await withOrigin { origin in
            let bucket = ScriptedBucket("posters", on: origin)
            bucket.fail(.hangs)
            let client = try ClientFixture.client(origin.baseURL) { _ in try await Gate().wait() }
            for number in 1...6 {
                let read = Task { try await client.bytes("a") }
                try await origin.requestsArrived { $0.count >= number }
                read.cancel()
                await #expect(throws: CancellationError.self) { _ = try await read.value }
            }
            #expect(client.health.isAvailable)
        }
    }

    @Test func aListThatIsNoneIsAFailure() async throws {
        try await withOrigin { origin in
            origin.on("/posters/", .answer(body: Array("<!DOCTYPE html><html/>".utf8)))
            let client = try ClientFixture.client(origin.baseURL)
            await #expect(throws: StoreFailure.unintelligible("it has a document type")) { _ = try await client.list() }
        }
    }
}
