import Logging
import MovieDomain
import MovieTesting
import PosterTesting
import Synchronization
import Testing

@testable import UpstreamClient

/// Budgets with scripted refusals that record their calls.
private final class ScriptedBudgets: SharedDailyBudgets {
    struct Charge: Hashable {
        let day: CalendarDate
        let counted: Int
    }

    private let state: Mutex<(refusals: [DailyRefusal?], charges: [Charge], refunds: Int)>

    init(_ refusals: [DailyRefusal?]) {
        self.state = Mutex((refusals, [], 0))
    }

    var charges: [Charge] { self.state.withLock { $0.charges } }
    var refunds: Int { self.state.withLock { $0.refunds } }

    func charge(
        _ source: MovieSource, on day: CalendarDate, budget: DailyBudget, counted: Int
    ) async throws -> DailyRefusal? {
        self.state.withLock { state in
            state.charges.append(Charge(day: day, counted: counted))
            return state.refusals.isEmpty ? nil : state.refusals.removeFirst()
        }
    }

    func refund(_ source: MovieSource, on day: CalendarDate) {
        self.state.withLock { $0.refunds += 1 }
    }
}

@Suite(.timeLimit(.hang)) struct SharedBudgetTests {
    private func client(_ fixture: UpstreamFixture, _ budgets: ScriptedBudgets) -> UpstreamClient {
        UpstreamClient(
            source: .omdb, baseURL: fixture.upstream.baseURL, budget: .universal(1000),
            in: .init(
                transport: FetchTransport(fixture.fetcher), store: fixture.store, budgets: budgets,
                now: fixture.clock.now, logger: .silent))
    }

    @Test func requestsAreChargedWithWhatTheNodeHasCounted() async throws {
        try await withUpstream { upstream in
            let fixture = try UpstreamFixture(upstream)
            for path in ["/a", "/b", "/c", "/d"] { upstream.on("GET", path, .json("{}")) }
            let budgets = ScriptedBudgets([])
            let client = self.client(fixture, budgets)
            for path in ["/a", "/b", "/c"] { _ = try await client.text(path) }
            #expect(budgets.charges.map(\.counted) == [0, 1, 2])
            let restarted = ScriptedBudgets([])
            _ = try await self.client(fixture, restarted).text("/d")
            #expect(restarted.charges.map(\.counted) == [3], "the store has them after a restart")
        }
    }

    @Test func aRefusalSaysWhenToTryAgain() async throws {
        try await withUpstream { upstream in
            let fixture = try UpstreamFixture(upstream)
            let budgets = ScriptedBudgets([.heldByOthers(retryAfterSeconds: 5), .usedUp])
            let client = self.client(fixture, budgets)
            #expect(await client.failure("/a") == .busy(.omdb, retryAfterSeconds: 5))
            let seconds = DailyBudget.universal(1).secondsLeft(at: fixture.clock.now())
            #expect(await client.failure("/b") == .busy(.omdb, retryAfterSeconds: seconds))
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func whatIsNotSentIsTakenBack() async throws {
        try await withUpstream { upstream in
            let fixture = try UpstreamFixture(upstream)
            let budgets = ScriptedBudgets([])
            let client = UpstreamClient(
                source: .omdb, baseURL: fixture.upstream.baseURL, budget: .universal(1000),
                in: .init(
                    transport: NoConnection(), store: fixture.store, budgets: budgets, now: fixture.clock.now,
                    logger: .silent))
            #expect(await client.failure("/a") == .unavailable(.omdb, reason: "no connection"))
            #expect(budgets.refunds == 1)
            #expect(try await fixture.store?.requestCount(on: budgets.charges[0].day, of: .omdb) == 0)
        }
    }
}

private struct NoConnection: UpstreamTransport {
    func send(_ request: AuthenticatedRequest) async throws -> UpstreamResponse {
        throw UpstreamTransportFailure.notSent(reason: "no connection")
    }
}
