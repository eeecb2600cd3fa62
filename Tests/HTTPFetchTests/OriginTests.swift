import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct OriginTests {
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

    @Test func anOriginHasTheMeanTimeOfItsTransfers() {
        let origin = Origin(
            Origin.Key(scheme: "https", host: "slow.test", port: 443), configuration: FetchConfiguration(),
            timing: FetchTiming())
        #expect(origin.snapshot.meanTransferTime == nil)
        origin.recordTransfer(800_000_000)
        #expect(origin.snapshot.meanTransferTime == .milliseconds(800))
        origin.recordTransfer(1_600_000_000)
        #expect(origin.snapshot.meanTransferTime == .milliseconds(900))
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

    @Test func allOriginsTogetherHaveALimitTooButOnlyForThoseThatWait() async throws {
        try await withOrigin { origin in
            let urls = origin.urls(named: "waiting", count: 6)
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher {
                $0.originLimits.maxFetches = 1
                $0.originLimits.maxWaiting = 1
                $0.maxWaiting = 1
            }
            var tasks: [Task<Void, any Error>] = []
            // At each of the first four origins one fetch hangs and one waits; at the fifth one hangs, and no other can
            // wait.
            for (index, url) in urls.dropLast().enumerated() {
                tasks.append(Task { _ = try await fetcher.get(url + "/") })
                try await origin.requestsArrived(at: "/", count: index + 1)
                guard index < 4 else { break }
                tasks.append(Task { _ = try await fetcher.get(url + "/") })
                try await Self.waiting(1, in: fetcher)
            }
            await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1))) {
                try await fetcher.get(urls[4] + "/")
            }
            #expect(try await fetcher.get(urls[5] + "/x").0.status == 404, "who needs not wait needs no place for it")
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
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

    @Test func waitingCountsForTheTotalTimeoutButNotAsAFailure() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let (clock, deadline) = (ManualClock(), Gate())
            var timing = clock.timing
            timing.waitForDeadline = { _ in try await deadline.wait() }
            let fetcher = try makeFetcher(timing: timing) { $0.originLimits.maxFetches = 1 }
            let tasks = (0..<3).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await origin.requestsArrived(at: "/")
            try await Self.waiting(2, in: fetcher)
            clock.advance(by: .seconds(10))
            deadline.open()
            for task in tasks { await #expect(throws: FetchError.timedOut(.total)) { try await task.value } }
            #expect(fetcher.origins.first?.totals.failures == 1)
        }
    }

    @Test func waitingFetchesEndAtShutdown() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try makeFetcher { $0.originLimits.maxFetches = 1 }
            let tasks = (0..<3).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await Self.waiting(2, in: fetcher)
            fetcher.shutdown()
            for task in tasks { await #expect(throws: FetchError.shutDown) { try await task.value } }
        }
    }

    @Test func theLeastRecentlyUsedIsEvicted() throws {
        let table = OriginTable(maxOrigins: 2) {
            Origin($0, configuration: FetchConfiguration(), timing: FetchTiming())
        }
        let keys = (0..<3).map { Origin.Key(scheme: "http", host: "\($0).test", port: 80) }
        let first = try table.acquire(keys[0])
        let second = try table.acquire(keys[1])
        #expect(throws: FetchError.overloaded(retryAfter: .seconds(1)), "both are in use") {
            try table.acquire(keys[2])
        }
        table.release(second)
        table.release(try table.acquire(keys[2]))
        table.release(first)
        #expect(table.snapshots.map(\.name) == ["http://0.test:80", "http://2.test:80"])
    }

    /// Returns once `count` fetches wait for their turn.
    private static func waiting(_ count: Int, in fetcher: Fetcher) async throws {
        try await eventually { fetcher.origins.last?.fetches.waitingCount == count }
    }
}
