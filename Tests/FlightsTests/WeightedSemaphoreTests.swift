import PosterTesting
import Testing

@testable import Flights

@Suite(.timeLimit(.hang))
struct WeightedSemaphoreTests {
    /// Holds a slot until the gate is opened.
    private func hold(
        _ semaphore: WeightedSemaphore, weight: Int = 0, level: Urgency.Level = .interactive, gate: Gate
    ) async throws -> Task<Void, any Error> {
        let held = Gate()
        let task = Task {
            try await semaphore.withPermit(weight: weight, urgency: Urgency(level)) {
                held.open()
                try await gate.wait()
            }
        }
        try await held.wait()
        return task
    }

    private func waitFor(_ count: Int, in semaphore: WeightedSemaphore) async throws {
        try await eventually { semaphore.usage.waitingCount >= count }
    }

    @Test func theMostUrgentIsFirstAndAmongEqualsTheEarliest() async throws {
        let semaphore = WeightedSemaphore(.init(count: 1, queue: 10), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, gate: gate)
        let order = EventRecorder()
        var tasks: [Task<Void, any Error>] = []
        let arrivals: [(String, Urgency.Level)] = [
            ("warming", .warming), ("revalidation", .revalidation), ("first", .interactive), ("second", .interactive),
        ]
        for (index, (name, level)) in arrivals.enumerated() {
            tasks.append(Task { try await semaphore.withPermit(urgency: Urgency(level)) { order.add(name) } })
            try await self.waitFor(index + 1, in: semaphore)
        }
        gate.open()
        for task in tasks { try await task.value }
        try await holder.value
        #expect(order.all == ["first", "second", "revalidation", "warming"])
        #expect(semaphore.usage.held == 0)
    }

    @Test func whatBecomesUrgentWhileItWaitsMovesForward() async throws {
        let semaphore = WeightedSemaphore(.init(count: 1, queue: 10), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, gate: gate)
        let order = EventRecorder()
        let urgency = Urgency(.warming)
        let warming = Task { try await semaphore.withPermit(urgency: urgency) { order.add("promoted") } }
        try await self.waitFor(1, in: semaphore)
        let other = Task {
            try await semaphore.withPermit(urgency: Urgency(.revalidation)) { order.add("revalidation") }
        }
        try await self.waitFor(2, in: semaphore)
        urgency.raise(to: .interactive)
        #expect(semaphore.usage.waiting == [.interactive: 1, .revalidation: 1, .warming: 0])
        gate.open()
        try await warming.value
        try await other.value
        try await holder.value
        #expect(order.all == ["promoted", "revalidation"])
    }

    @Test func aFullQueueRefusesAtOnceAndSaysHowLongItMayTake() async throws {
        let clock = ManualClock()
        let semaphore = WeightedSemaphore(.init(count: 2, queue: 3), now: clock.now)
        // Holds a slot for four seconds, for the estimate.
        try await semaphore.withPermit(urgency: Urgency(.interactive)) { clock.advance(by: .seconds(4)) }
        let gate = Gate()
        var tasks = [try await self.hold(semaphore, gate: gate), try await self.hold(semaphore, gate: gate)]
        for count in 1...3 {
            tasks.append(Task { try await semaphore.withPermit(urgency: Urgency(.interactive)) {} })
            try await self.waitFor(count, in: semaphore)
        }
        await #expect(throws: WeightedSemaphore.QueueFull(estimatedWait: .seconds(8))) {
            try await semaphore.withPermit(urgency: Urgency(.interactive)) {}
        }
        gate.open()
        for task in tasks { try await task.value }
    }

    @Test func whatIsUrgentTakesThePlaceOfWhatIsNotInAFullQueue() async throws {
        let semaphore = WeightedSemaphore(.init(count: 1, queue: 1), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, gate: gate)
        let warming = Task { try await semaphore.withPermit(urgency: Urgency(.warming)) {} }
        try await self.waitFor(1, in: semaphore)
        let client = Task { try await semaphore.withPermit(urgency: Urgency(.interactive)) {} }
        await #expect(throws: WeightedSemaphore.QueueFull.self) { try await warming.value }
        await #expect(throws: WeightedSemaphore.QueueFull.self) {
            try await semaphore.withPermit(urgency: Urgency(.revalidation)) {}
        }
        gate.open()
        try await client.value
        try await holder.value
    }

    @Test func whatIsTooHeavyForNowWaitsAndIsNotOvertaken() async throws {
        let semaphore = WeightedSemaphore(.init(count: 4, queue: 10, weight: 100), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, weight: 60, gate: gate)
        let order = EventRecorder()
        let heavy = Task {
            try await semaphore.withPermit(weight: 1000, urgency: Urgency(.interactive)) { order.add("heavy") }
        }
        try await self.waitFor(1, in: semaphore)
        let light = Task {
            try await semaphore.withPermit(weight: 1, urgency: Urgency(.interactive)) { order.add("light") }
        }
        try await self.waitFor(2, in: semaphore)
        #expect(semaphore.usage.weight == 60 && semaphore.usage.held == 1)
        gate.open()
        try await heavy.value
        try await light.value
        try await holder.value
        #expect(order.all == ["heavy", "light"])
        #expect(semaphore.usage.weight == 0)
    }

    @Test func urgentWorkDoesNotWaitForHeavyWorkThatIsLessUrgent() async throws {
        let semaphore = WeightedSemaphore(.init(count: 4, queue: 10, weight: 100), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, weight: 60, gate: gate)
        let warming = Task { try await semaphore.withPermit(weight: 80, urgency: Urgency(.warming)) {} }
        try await self.waitFor(1, in: semaphore)
        try await semaphore.withPermit(weight: 10, urgency: Urgency(.interactive)) {}
        #expect(semaphore.usage.held == 1 && semaphore.usage.waitingCount == 1)
        gate.open()
        try await warming.value
        try await holder.value
    }

    @Test func whatAFlightDoesIsAsUrgentAsItsCallers() async throws {
        let flights = SingleFlight<String, Urgency.Level?>()
        let gate = Gate()
        let warming = Task {
            try await flights.value(for: "heat", level: .warming) { _ in
                try await gate.wait()
                return Urgency.current?.level
            }
        }
        try await eventually { flights.waiterCount >= 1 }
        let client = Task { try await flights.value(for: "heat", level: .interactive) { _ in nil } }
        try await eventually { flights.waiterCount >= 2 }
        gate.open()
        #expect(try await warming.value.value == .interactive)
        #expect(try await client.value.value == .interactive)
        #expect(Urgency.current == nil)
    }

    @Test func aCancelledWaiterLetsThoseAfterItPass() async throws {
        let semaphore = WeightedSemaphore(.init(count: 4, queue: 10, weight: 100), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, weight: 60, gate: gate)
        let heavy = Task { try await semaphore.withPermit(weight: 50, urgency: Urgency(.interactive)) {} }
        try await self.waitFor(1, in: semaphore)
        let light = Task { try await semaphore.withPermit(weight: 40, urgency: Urgency(.interactive)) {} }
        try await self.waitFor(2, in: semaphore)
        heavy.cancel()
        await #expect(throws: CancellationError.self) { try await heavy.value }
        try await light.value
        gate.open()
        try await holder.value
    }

    @Test func manyCallersAndCancellationsLoseNoPermit() async throws {
        let semaphore = WeightedSemaphore(.init(count: 3, queue: 1000), now: { 0 })
        await withTaskGroup { group in
            for index in 0..<900 {
                group.addTask {
                    let task = Task {
                        try await semaphore.withPermit(urgency: Urgency(Urgency.Level.allCases[index % 3])) {
                            await Task.yield()
                        }
                    }
                    if index % 2 == 0 { task.cancel() }
                    do { try await task.value } catch {}
                }
            }
        }
        #expect(semaphore.usage.held == 0 && semaphore.usage.waitingCount == 0)
        try await semaphore.withPermit(urgency: Urgency(.warming)) {}
    }

    @Test func aFreePermitIsWaitedForWithoutAPlaceInTheQueue() async throws {
        let semaphore = WeightedSemaphore(.init(count: 2, queue: 10), now: { 0 })
        try await semaphore.waitForFreePermit(besides: 1)
        let gates = (Gate(), Gate(), Gate())
        let first = try await self.hold(semaphore, gate: gates.0)
        let second = try await self.hold(semaphore, gate: gates.1)
        let queued = Task { try await semaphore.withPermit(urgency: Urgency(.warming)) { try await gates.2.wait() } }
        try await self.waitFor(1, in: semaphore)
        let one = Task { try await semaphore.waitForFreePermit() }
        let both = Task { try await semaphore.waitForFreePermit(besides: 1) }
        try await eventually { semaphore.usage.watching == 2 }
        gates.0.open()
        try await first.value
        try await eventually { semaphore.usage.waitingCount == 0 }
        #expect(semaphore.usage.watching == 2, "the queue goes first")
        gates.1.open()
        try await one.value
        try await second.value
        #expect(semaphore.usage.watching == 1)
        gates.2.open()
        try await both.value
        try await queued.value
        #expect(semaphore.usage.held == 0)
    }

    @Test func aCancelledWaitForAFreePermitEnds() async throws {
        let semaphore = WeightedSemaphore(.init(count: 1, queue: 0), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(semaphore, gate: gate)
        let watcher = Task { try await semaphore.waitForFreePermit() }
        try await eventually { semaphore.usage.watching == 1 }
        watcher.cancel()
        await #expect(throws: CancellationError.self) { try await watcher.value }
        #expect(semaphore.usage.watching == 0)
        gate.open()
        try await holder.value
    }
}
