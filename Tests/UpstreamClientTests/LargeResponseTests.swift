import Flights
import MovieDomain
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Large responses of upstreams", .timeLimit(.hang))
struct LargeResponseTests {
    private static let json = #"{"a":"\#(String(repeating: "x", count: DecodingPool.Limits().inlineBytes))"}"#

    /// A pool with one thread.
    private static func pool(queue: Int) -> DecodingPool {
        var limits = DecodingPool.Limits()
        (limits.threads, limits.queue) = (1, queue)
        return DecodingPool(limits)
    }

    /// Occupies the thread of a pool until the latch is opened.
    private static func occupy(_ pool: DecodingPool, until latch: Latch) async throws -> Task<Void, any Error> {
        let begun = Gate()
        let task = Task {
            try await pool.run(byteCount: .max) {
                begun.open()
                latch.wait()
            }
        }
        try await begun.wait()
        return task
    }

    @Test func aLargeResponseWaitsForTheThreadsAndASmallOneDoesNot() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/large", .json(Self.json))
            upstream.on("GET", "/small", .json("{}"))
            let (pool, latch, decoded) = (Self.pool(queue: 8), Latch(), Counter())
            let client = try UpstreamFixture(upstream).client(decoding: pool)
            let other = try await Self.occupy(pool, until: latch)
            let large = Task { try await client.text("/large", decoded: decoded) }
            try await eventually { pool.usage.waitingCount == 1 }
            #expect(try await client.text("/small") == "{}")
            #expect(decoded.value == 0)
            latch.open()
            #expect(try await large.value == Self.json)
            try await other.value
            // Reads the response from the store.
            let restarted = try await client.environment.store?.response(of: .tmdb, for: "/large? ", at: client.now())
            #expect(restarted?.body == Array(Self.json.utf8))
        }
    }

    @Test func theLastClientThatLeavesEndsTheDecoding() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/large", .json(Self.json))
            let (pool, latch, decoded) = (Self.pool(queue: 8), Latch(), Counter())
            let client = try UpstreamFixture(upstream).client(decoding: pool)
            let other = try await Self.occupy(pool, until: latch)
            let clients = (0..<2).map { _ in Task { try await client.text("/large", decoded: decoded) } }
            try await eventually { pool.usage.waitingCount == 1 && client.flights.waiterCount == 2 }
            clients[0].cancel()
            await #expect(throws: CancellationError.self) { try await clients[0].value }
            #expect(pool.usage.waitingCount == 1)
            clients[1].cancel()
            await #expect(throws: CancellationError.self) { try await clients[1].value }
            try await eventually { pool.usage.waitingCount == 0 }
            latch.open()
            try await other.value
            #expect(decoded.value == 0)
        }
    }

    @Test func aLargeResponseWithoutAPlaceInTheQueueIsRefusedForNow() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/large", .json(Self.json))
            let (pool, latch) = (Self.pool(queue: 0), Latch())
            let client = try UpstreamFixture(upstream).client(decoding: pool)
            let other = try await Self.occupy(pool, until: latch)
            let failure = await client.failure("/large")
            guard case .busy(.tmdb, _)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            latch.open()
            try await other.value
            #expect(try await client.text("/large") == Self.json)
        }
    }

    @Test func whatCannotBeDecodedIsABadAnswer() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/large", .json(String(repeating: "[", count: 100_000)))
            let client = try UpstreamFixture(upstream).client()
            #expect(await client.failure("/large") == .badAnswer(.tmdb, reason: "the response is not a JSON object"))
        }
    }
}
