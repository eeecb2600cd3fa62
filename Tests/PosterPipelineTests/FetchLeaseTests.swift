import Flights
import PictureTesting
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

/// Several nodes with one store of originals.
@Suite(.timeLimit(.hang))
struct FetchLeaseTests {
    /// Returns scripted turns in order, and records the outcomes of leases.
    private final class ScriptedLeases: FetchLeases {
        private let turns: Mutex<[@Sendable () async throws -> FetchTurn]>
        let ends = Mutex<[LeasedFetchOutcome]>([])
        let forgotten = Mutex<[PosterID]>([])

        init(_ turns: [@Sendable () async throws -> FetchTurn]) {
            self.turns = Mutex(turns)
        }

        var lease: FetchLease { FetchLease { outcome in self.ends.withLock { $0.append(outcome) } } }

        func turn(for id: PosterID, at location: OriginalLocation) async throws -> FetchTurn {
            guard let turn = self.turns.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return .fetch(self.lease)
            }
            return try await turn()
        }

        func forgetOutcome(of id: PosterID) { self.forgotten.withLock { $0.append(id) } }
    }

    private func fixture(
        store: (any OriginalStore)? = nil, fetching: (any OriginalSource)? = nil, leases: ScriptedLeases? = nil
    ) -> PipelineFixture {
        let fixture = PipelineFixture(store: store, fetching: fetching, leases: leases)
        fixture.source.set(TestPicture.jpeg(width: 60, height: 90), for: "heat")
        return fixture
    }

    private func request() throws -> PosterRequest { try PipelineFixture.request("heat", width: 40) }

    @Test func aFetchHoldsItsLeaseUntilItEnds() async throws {
        let leases = ScriptedLeases([])
        let fixture = self.fixture(leases: leases)
        _ = try await fixture.answer(self.request())
        #expect(fixture.source.fetchCount(of: "heat") == 1)
        #expect(leases.ends.withLock { $0 } == [.fetched])
    }

    @Test func aFetchThatFailsEndsItsLease() async throws {
        let leases = ScriptedLeases([])
        let fixture = self.fixture(fetching: FailingSource(), leases: leases)
        await #expect(throws: PosterError.self) { try await fixture.answer(self.request()) }
        #expect(leases.ends.withLock { $0 } == [.failed(.originUnavailable(reason: "it is away"))])
    }

    @Test func theFailureOfAnotherNodesFetchIsReportedWithoutAFetch() async throws {
        let failure = PosterError.originUnavailable(reason: "it is away", retryAfter: 7)
        let fixture = self.fixture(leases: ScriptedLeases([{ .failed(failure) }]))
        await #expect(throws: failure) { try await fixture.answer(self.request()) }
        #expect(fixture.source.fetchCount(of: "heat") == 0)
    }

    @Test func aPurgeForgetsHowFetchesOfOtherNodesHaveEnded() async throws {
        let leases = ScriptedLeases([])
        let fixture = self.fixture(leases: leases)
        let id = try PosterID(key: "heat")
        _ = try await fixture.pipeline.purge(id)
        #expect(leases.forgotten.withLock { $0 } == [id])
    }

    @Test func whatAnotherNodeHasStoredIsNotFetched() async throws {
        let store = MemoryOriginalStore()
        let other = self.fixture(store: store)
        let request = try self.request()
        // The other node stores it while this one waits.
        let leases = ScriptedLeases([
            {
                _ = try await other.answer(request)
                return .stored
            }
        ])
        let fixture = self.fixture(store: store, leases: leases)
        _ = try await fixture.answer(request)
        #expect(other.source.fetchCount(of: "heat") == 1 && fixture.source.fetchCount(of: "heat") == 0)
    }

    @Test func whatIsNotInTheStoreAfterAllIsFetched() async throws {
        let leases = ScriptedLeases([{ .stored }])
        let fixture = self.fixture(leases: leases)
        _ = try await fixture.answer(self.request())
        #expect(fixture.source.fetchCount(of: "heat") == 1)
        #expect(leases.ends.withLock { $0.isEmpty }, "it has none")
    }

    @Test func whatTheStoreHasNeedsNoLease() async throws {
        let store = MemoryOriginalStore()
        _ = try await self.fixture(store: store).answer(self.request())
        let leases = ScriptedLeases([{ throw CancellationError() }])
        _ = try await self.fixture(store: store, leases: leases).answer(self.request())
    }

    private struct FailingSource: OriginalSource {
        func fetch(
            _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
            into draft: any OriginalDraft
        ) async throws -> OriginResponse {
            throw PosterError.originUnavailable(reason: "it is away")
        }
    }
}
