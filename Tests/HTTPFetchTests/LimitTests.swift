import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct LimitTests {
    /// A response and the limit that it exceeds.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: OriginScript
        let error: FetchError
        var change: @Sendable (inout FetchConfiguration) -> Void = { _ in }
    }

    static let cases = [
        Case(
            testDescription: "a declared length beyond the limit is refused at the head",
            script: OriginScript([.length(1001), .hang]),
            error: .tooLarge(limit: 1000),
            change: { $0.maxBytes = 1000 }
        ),
        Case(
            testDescription: "an undeclared length is counted as it arrives",
            script: .chunked([[UInt8]](repeating: [UInt8](repeating: 1, count: 400), count: 3), isComplete: false),
            error: .tooLarge(limit: 1000),
            change: { $0.maxBytes = 1000 }
        ),
        Case(
            testDescription: "a compressed body is counted decoded",
            script: .answer(headers: [("Content-Encoding", "gzip")], body: Gzip.bomb),
            error: .tooLarge(limit: 1000),
            change: { $0.maxBytes = 1000 }
        ),
        Case(
            testDescription: "a head of many lines",
            script: .answer(headers: .init(repeating: ("X", String(repeating: "x", count: 90)), count: 20)),
            error: .headTooLarge(limit: 1000),
            change: { $0.maxHeaderBytes = 1000 }
        ),
        Case(
            testDescription: "a head of one long line",
            script: .answer(headers: [("X", String(repeating: "x", count: 70_000))]),
            error: .headTooLarge(limit: 64 << 10)
        ),
        Case(
            testDescription: "interim answers without an end",
            script: OriginScript([.bytes(String(repeating: "HTTP/1.1 100 Go\r\n\r\n", count: 100).bytes), .hang]),
            error: .headTooLarge(limit: 1000),
            change: { $0.maxHeaderBytes = 1000 }
        ),
        Case(
            testDescription: "no head in time",
            script: .hangBeforeHeaders,
            error: .timedOut(.total),
            change: { $0.totalTimeout = .milliseconds(500) }
        ),
        Case(
            testDescription: "no end of the body in time",
            script: .hangInBody(after: [1]),
            error: .timedOut(.total),
            change: { $0.totalTimeout = .milliseconds(500) }
        ),
        Case(
            testDescription: "a body that stalls",
            script: .hangInBody(after: [1]),
            error: .tooSlow,
            change: { $0.lowSpeedDuration = .seconds(1) }
        ),
        Case(
            testDescription: "a body that trickles",
            script: OriginScript([
                .length(99), .trickle([UInt8](repeating: 1, count: 99), size: 1, pause: .milliseconds(50)),
            ]),
            error: .tooSlow,
            change: { $0.lowSpeedDuration = .seconds(1) }
        ),
    ]

    @Test("a limit ends the fetch and closes the connection", arguments: cases)
    func limit(_ limit: Case) async throws {
        try await withOrigin { origin in
            origin.on("/", limit.script)
            let fetcher = try makeFetcher(limit.change)
            await #expect(throws: limit.error) { try await fetcher.get(origin.url("/")) }
            try await origin.connectionClosed(1)
        }
    }

    @Test func aBodyOfExactlyTheLimitPasses() async throws {
        try await withOrigin { origin in
            origin.on("/", .chunked([[1, 2], [3]]))
            let (_, bytes) = try await makeFetcher { $0.maxBytes = 3 }.get(origin.url("/"))
            #expect(bytes == [1, 2, 3])
        }
    }

    @Test func connectingHasATimeout() async throws {
        let blackhole = try Blackhole()
        let fetcher = try makeFetcher { $0.connectTimeout = .milliseconds(100) }
        let url = blackhole.url
        await #expect(throws: FetchError.timedOut(.connect)) { try await fetcher.get(url) }
    }

    @Test func resolvingIsPartOfConnecting() async throws {
        let hanging = TestResolver.hang("timeout.hangs.test")
        let fetcher = try makeFetcher { $0.connectTimeout = .milliseconds(100) }
        await #expect(throws: FetchError.timedOut(.connect)) { try await fetcher.get("http://timeout.hangs.test/") }
        hanging.release()
    }

    @Test func theTLSHandshakeIsPartOfConnecting() async throws {
        try await withOrigin { origin in
            let fetcher = try makeFetcher { $0.connectTimeout = .milliseconds(100) }
            let url = "https://127.0.0.1:\(origin.port)/"
            await #expect(throws: FetchError.timedOut(.connect)) { try await fetcher.get(url) }
        }
    }

    @Test func waitingForAConnectionCountsForTheTotalTimeout() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher {
                $0.originLimits.maxConnections = 1
                $0.totalTimeout = .milliseconds(500)
            }
            let tasks = (0..<2).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            for task in tasks { await #expect(throws: FetchError.timedOut(.total)) { try await task.value } }
        }
    }

    @Test func oneDeadlineIsForAllHops() async throws {
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "/next"))
            origin.on("/next", .hangBeforeHeaders)
            let (deadline, count) = (Gate(), Counter())
            var timing = FetchTiming()
            timing.waitForDeadline = { _ in
                count.increment()
                try await deadline.wait()
            }
            let fetcher = try makeFetcher(timing: timing)
            let task = Task { try await fetcher.get(origin.url("/")) }
            try await origin.requestsArrived(at: "/next")
            deadline.open()
            await #expect(throws: FetchError.timedOut(.total)) { try await task.value }
            #expect(count.value == 1)
        }
    }

    /// The minimum of all fetches is four times the limit per origin.
    @Test func oneFetchTooManyIsRefusedUntilAnotherEnds() async throws {
        try await withOrigin { origin in
            let urls = origin.urls(named: "transfers", count: 5)
            origin.on("/hangs", .hangBeforeHeaders)
            origin.on("/good", .image([1]))
            let fetcher = try makeFetcher {
                $0.maxTransfers = 1
                $0.originLimits.maxFetches = 1
            }
            let tasks = urls.dropLast().map { url in Task { try await fetcher.get(url + "/hangs") } }
            try await origin.requestsArrived(at: "/hangs", count: 4)
            await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1))) {
                try await fetcher.get(urls[4] + "/good")
            }
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
            #expect(try await fetcher.get(urls[4] + "/good").0.status == 200)
        }
    }
}
