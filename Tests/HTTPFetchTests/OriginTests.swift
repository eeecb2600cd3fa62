import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.minutes(1))) struct OriginTests {
    @Test func anOriginThatHangsDoesNotHoldUpAnother() async throws {
        try await withOrigin { hanging in
            try await withOrigin { other in
                hanging.on("/", .hangBeforeHeaders)
                other.on("/", .image([1]))
                let fetcher = try makeFetcher()
                let tasks = (0..<40).map { _ in Task { try await fetcher.get(hanging.url("/")) } }
                try await Self.waiting(24, in: fetcher)
                let usage = try #require(fetcher.origins.first).fetches
                #expect(usage.held == 16)
                #expect(try await fetcher.get(other.url("/")).0.status == 200)
                #expect(hanging.acceptedConnectionCount <= 6)
                for task in tasks { task.cancel() }
                for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            }
        }
    }

    @Test func oneTooManyWaitingIsRefused() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher {
                $0.originLimits.maxFetches = 1
                $0.originLimits.maxWaiting = 1
            }
            let tasks = (0..<2).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await Self.waiting(1, in: fetcher)
            await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1))) {
                try await fetcher.get(origin.url("/"))
            }
            #expect(fetcher.origins.first?.totals.failures == 0)
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
        }
    }

    @Test func allOriginsTogetherHaveALimitToo() async throws {
        try await withOrigin { origin in
            try await withOrigin { other in
                origin.on("/", .hangBeforeHeaders)
                let fetcher = try makeFetcher {
                    $0.originLimits.maxFetches = 1
                    $0.maxWaiting = 1
                }
                var tasks = [Task { try await fetcher.get(origin.url("/")) }]
                try await origin.requestsArrived(at: "/")
                tasks.append(Task { try await fetcher.get(origin.url("/")) })
                try await Self.waiting(1, in: fetcher)
                await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1))) {
                    try await fetcher.get(other.url("/"))
                }
                for task in tasks { task.cancel() }
                for task in tasks { _ = await task.result }
                #expect(try await fetcher.get(other.url("/")).0.status == 404)
            }
        }
    }

    @Test func theMostUrgentGoesFirstAndUrgencyMayRise() async throws {
        try await withOrigin { origin in
            let gate = Gate()
            origin.on("/held", OriginScript([.wait(gate), .length(0)]))
            let fetcher = try makeFetcher { $0.originLimits.maxFetches = 1 }
            let held = Task { try await fetcher.get(origin.url("/held")) }
            try await origin.requestsArrived(at: "/held")
            let rising = Urgency(.warming)
            var tasks: [Task<FetchResponse, any Error>] = []
            for (path, urgency) in [
                ("/x?warming", Urgency(.warming)), ("/x?revalidation", Urgency(.revalidation)), ("/x?rising", rising),
            ] {
                let request = FetchRequest(url: origin.url(path), urgency: urgency)
                tasks.append(Task { try await fetcher.fetch(request, into: MemorySink()) })
                try await Self.waiting(tasks.count, in: fetcher)
            }
            rising.raise(to: .interactive)
            gate.open()
            for task in tasks { _ = try await task.value }
            _ = try await held.value
            #expect(origin.requests(to: "/x").map(\.target) == ["/x?rising", "/x?revalidation", "/x?warming"])
        }
    }

    @Test func waitingIsPartOfTheWholeTimeAndTellsNothingAboutTheOrigin() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher {
                $0.originLimits.maxFetches = 1
                $0.totalTimeout = .milliseconds(300)
            }
            let tasks = (0..<3).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            for task in tasks { await #expect(throws: FetchError.timedOut(.total)) { try await task.value } }
            let totals = try #require(fetcher.origins.first).totals
            #expect(totals.failures == totals.attempts)
        }
    }

    @Test func whoWaitsEndsWithTheFetcher() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher { $0.originLimits.maxFetches = 1 }
            let tasks = (0..<3).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await Self.waiting(2, in: fetcher)
            fetcher.shutdown()
            for task in tasks { await #expect(throws: FetchError.shutDown) { try await task.value } }
        }
    }

    @Test func theOneUnusedForTheLongestTimeIsForgotten() async throws {
        let table = OriginTable(maxOrigins: 2) {
            Origin($0, configuration: FetchConfiguration(), timing: FetchTiming())
        }
        let keys = (0..<3).map { Origin.Key(scheme: "http", host: "\($0).test", port: 80) }
        try await table.withOrigin(keys[0]) { _ in
            try await table.withOrigin(keys[1]) { _ in
                let key = keys[2]
                await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1)), "both are in use") {
                    try await table.withOrigin(key) { _ in }
                }
            }
            try await table.withOrigin(keys[2]) { _ in }
        }
        #expect(table.snapshots.map(\.name) == ["http://0.test:80", "http://2.test:80"])
    }

    /// Returns once so many fetches wait for their turn.
    private static func waiting(_ count: Int, in fetcher: Fetcher) async throws {
        while fetcher.origins.first?.fetches.waitingCount != count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
