import Flights
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct SingleFlightTests {
    private let flights = SingleFlight<String, Int>()

    private func waitForWaiters(_ count: Int, key: String = "heat") async throws {
        try await eventually { self.flights.waiterCount(for: key) >= count }
    }

    @Test func allCallersMeanwhileGetTheSameOutcome() async throws {
        let gate = Gate()
        let runs = Counter()
        let callers = (0..<100).map { _ in
            Task {
                try await self.flights.value(for: "heat") { _ in
                    runs.increment()
                    try await gate.wait()
                    return 42
                }
            }
        }
        try await self.waitForWaiters(100)
        gate.open()
        var joined = 0
        for caller in callers {
            let shared = try await caller.value
            #expect(shared.value == 42)
            joined += shared.hasJoined ? 1 : 0
        }
        #expect(runs.value == 1)
        #expect(joined == 99)
        #expect(self.flights.flightCount == 0)
    }

    @Test func theLastCallerToLeaveCancelsTheOperation() async throws {
        let wasCancelled = Gate()
        let never = Gate()
        let caller = Task {
            try await self.flights.value(for: "heat") { _ in
                do { try await never.wait() } catch { wasCancelled.open() }
                return 1
            }
        }
        try await self.waitForWaiters(1)
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        try await wasCancelled.wait()
        #expect(try await self.flights.value(for: "heat") { _ in 2 }.value == 2, "the next caller gets a new flight")
    }

    @Test func oneOfSeveralLeavesAndTheOthersNoticeNothing() async throws {
        let gate = Gate()
        let operation: @Sendable (Urgency) async throws -> Int = { _ in
            try await gate.wait()
            return 7
        }
        let first = Task { try await self.flights.value(for: "heat", operation: operation) }
        try await self.waitForWaiters(1)
        let second = Task { try await self.flights.value(for: "heat", operation: operation) }
        try await self.waitForWaiters(2)

        first.cancel()  // the one that started it
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(self.flights.waiterCount(for: "heat") == 1)
        gate.open()
        #expect(try await second.value.value == 7)
    }

    @Test func aCallerCancelledBeforeTheCallStartsNothing() async throws {
        let runs = Counter()
        let start = Gate()
        let caller = Task {
            try? await start.wait()
            return try await self.flights.value(for: "heat") { _ in
                runs.increment()
                return 1
            }
        }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(runs.value == 0)
    }

    @Test func anErrorReachesAllCallersAndIsNotCached() async throws {
        struct Failure: Error {}
        let gate = Gate()
        let callers = (0..<3).map { _ in
            Task {
                try await self.flights.value(for: "heat") { _ in
                    try await gate.wait()
                    throw Failure()
                }
            }
        }
        try await self.waitForWaiters(3)
        gate.open()
        for caller in callers { await #expect(throws: Failure.self) { try await caller.value } }
        #expect(try await self.flights.value(for: "heat") { _ in 5 }.value == 5)
    }

    @Test func differentKeysFlyApart() async throws {
        let gate = Gate()
        let slow = Task {
            try await self.flights.value(for: "slow") { _ in
                try await gate.wait()
                return 1
            }
        }
        try await self.waitForWaiters(1, key: "slow")
        #expect(try await self.flights.value(for: "fast") { _ in 2 }.value == 2)
        gate.open()
        #expect(try await slow.value.value == 1)
    }

    @Test func manyCallersAndCancellationsLeaveNoFlight() async throws {
        let runs = Counter()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    let task = Task {
                        try await self.flights.value(for: "key \(index % 7)") { _ in
                            runs.increment()
                            await Task.yield()
                            return index
                        }
                    }
                    if index % 3 == 0 { task.cancel() }
                    _ = try? await task.value
                }
            }
        }
        #expect(self.flights.flightCount == 0)
        #expect(runs.value > 0)
    }
}
