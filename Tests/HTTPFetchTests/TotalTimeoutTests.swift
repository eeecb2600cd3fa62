import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

/// Whether a total timeout counts as the origin's failure.
@Suite(.timeLimit(.hang)) struct TotalTimeoutTests {
    private let clock = ManualClock()
    private let deadline = Gate()

    @Test func anOriginThatHangsFailsButWaitingForAConnectionIsNoFailure() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try self.makeFetcher { $0.originLimits.maxConnections = 2 }
            let tasks = (0..<8).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await origin.requestsArrived(at: "/", count: 2)
            try await eventually { fetcher.origins.first?.fetches.held == 8 }
            self.clock.advance(by: .seconds(5))
            self.deadline.open()
            for task in tasks { await #expect(throws: FetchError.timedOut(.total)) { try await task.value } }
            let state = try #require(fetcher.origins.first)
            #expect((state.totals.failures, state.consecutiveFailures) == (2, 2))
            #expect(state.lastFailure == .timedOut(.total))
        }
    }

    @Test func enoughOfThemOpenTheBreaker() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try self.makeFetcher { $0.breaker.threshold = 6 }
            let tasks = (0..<16).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await origin.requestsArrived(at: "/", count: 6)
            self.clock.advance(by: .seconds(5))
            self.deadline.open()
            for task in tasks { await #expect(throws: FetchError.timedOut(.total)) { try await task.value } }
            #expect(fetcher.origins.first?.breaker == .open(remaining: .seconds(30)))
        }
    }

    @Test func anAnswerThatHadTooLittleTimeIsNoFailure() async throws {
        try await withOrigin { origin in
            origin.on("/", .hangBeforeHeaders)
            let fetcher = try self.makeFetcher { $0.breaker.threshold = 1 }
            let task = Task { try await fetcher.get(origin.url("/")) }
            try await origin.requestsArrived(at: "/")
            self.clock.advance(by: .milliseconds(4999))
            self.deadline.open()
            await #expect(throws: FetchError.timedOut(.total)) { try await task.value }
            #expect(fetcher.origins.first?.totals.failures == 0)
        }
    }

    @Test func anAttemptThatFailedBeforeIsOne() async throws {
        try await withOrigin { origin in
            origin.on("/", inTurn: [.status(502), .hangBeforeHeaders])
            let fetcher = try self.makeFetcher()
            let task = Task { try await fetcher.get(origin.url("/")) }
            try await origin.requestsArrived(at: "/", count: 2)
            self.deadline.open()
            await #expect(throws: FetchError.timedOut(.total)) { try await task.value }
            #expect(fetcher.origins.first?.totals.failures == 1)
        }
    }

    @Test func theLastFailureIsKeptUntilSomethingGoesWell() async throws {
        try await withOrigin { origin in
            origin.on("/", .closeEarly(declared: 2, sent: [1]))
            let fetcher = try self.makeFetcher()
            await #expect(throws: FetchError.truncated) { try await fetcher.get(origin.url("/")) }
            #expect(fetcher.origins.first?.lastFailure == .truncated)
            try await fetcher.get(origin.url("/missing"))
            let state = try #require(fetcher.origins.first)
            #expect(state.lastFailure == nil)
        }
    }

    /// A fetcher with a total timeout that expires when the test opens `deadline`.
    private func makeFetcher(_ change: (inout FetchConfiguration) -> Void = { _ in }) throws -> Fetcher {
        var timing = self.clock.timing
        let deadline = self.deadline
        timing.waitForDeadline = { _ in try await deadline.wait() }
        return try HTTPFetchTests.makeFetcher(timing: timing, change)
    }
}
