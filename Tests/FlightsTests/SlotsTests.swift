import PosterTesting
import Testing

@testable import Flights

@Suite(.timeLimit(.minutes(1)))
struct SlotsTests {
    /// Holds a slot until the gate is opened.
    private func hold(
        _ slots: Slots, weight: Int = 0, level: Urgency.Level = .interactive, gate: Gate
    ) async throws -> Task<Void, any Error> {
        let held = Gate()
        let task = Task {
            try await slots.withSlot(weight: weight, urgency: Urgency(level)) {
                held.open()
                try await gate.wait()
            }
        }
        try await held.wait()
        return task
    }

    private func waitFor(_ count: Int, in slots: Slots) async {
        while slots.usage.waitingCount < count { await Task.yield() }
    }

    @Test func theMostUrgentGoesFirstAndAmongEqualsWhoCameFirst() async throws {
        let slots = Slots(.init(count: 1, queue: 10), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(slots, gate: gate)
        let order = EventRecorder()
        var tasks: [Task<Void, any Error>] = []
        let arrivals: [(String, Urgency.Level)] = [
            ("warming", .warming), ("revalidation", .revalidation), ("first", .interactive), ("second", .interactive),
        ]
        for (index, (name, level)) in arrivals.enumerated() {
            tasks.append(Task { try await slots.withSlot(urgency: Urgency(level)) { order.add(name) } })
            await self.waitFor(index + 1, in: slots)
        }
        gate.open()
        for task in tasks { try await task.value }
        try await holder.value
        #expect(order.all == ["first", "second", "revalidation", "warming"])
        #expect(slots.usage.held == 0)
    }

    @Test func whatBecomesUrgentWhileItWaitsMovesForward() async throws {
        let slots = Slots(.init(count: 1, queue: 10), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(slots, gate: gate)
        let order = EventRecorder()
        let urgency = Urgency(.warming)
        let warming = Task { try await slots.withSlot(urgency: urgency) { order.add("promoted") } }
        await self.waitFor(1, in: slots)
        let other = Task { try await slots.withSlot(urgency: Urgency(.revalidation)) { order.add("revalidation") } }
        await self.waitFor(2, in: slots)
        urgency.raise(to: .interactive)
        #expect(slots.usage.waiting == [.interactive: 1, .revalidation: 1, .warming: 0])
        gate.open()
        try await warming.value
        try await other.value
        try await holder.value
        #expect(order.all == ["promoted", "revalidation"])
    }

    @Test func aFullQueueRefusesAtOnceAndSaysHowLongItMayTake() async throws {
        let clock = ManualClock()
        let slots = Slots(.init(count: 2, queue: 3), now: clock.now)
        // A slot is held for four seconds.
        try await slots.withSlot(urgency: Urgency(.interactive)) { clock.advance(by: .seconds(4)) }
        let gate = Gate()
        var tasks = [try await self.hold(slots, gate: gate), try await self.hold(slots, gate: gate)]
        for count in 1...3 {
            tasks.append(Task { try await slots.withSlot(urgency: Urgency(.interactive)) {} })
            await self.waitFor(count, in: slots)
        }
        await #expect(throws: Slots.Full(estimatedWait: .seconds(8))) {
            try await slots.withSlot(urgency: Urgency(.interactive)) {}
        }
        gate.open()
        for task in tasks { try await task.value }
    }

    @Test func whatIsUrgentTakesThePlaceOfWhatIsNotInAFullQueue() async throws {
        let slots = Slots(.init(count: 1, queue: 1), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(slots, gate: gate)
        let warming = Task { try await slots.withSlot(urgency: Urgency(.warming)) {} }
        await self.waitFor(1, in: slots)
        let client = Task { try await slots.withSlot(urgency: Urgency(.interactive)) {} }
        await #expect(throws: Slots.Full.self) { try await warming.value }
        await #expect(throws: Slots.Full.self) { try await slots.withSlot(urgency: Urgency(.revalidation)) {} }
        gate.open()
        try await client.value
        try await holder.value
    }

    @Test func whatIsTooHeavyForNowWaitsAndIsNotOvertaken() async throws {
        let slots = Slots(.init(count: 4, queue: 10, weight: 100), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(slots, weight: 60, gate: gate)
        let order = EventRecorder()
        let heavy = Task {
            try await slots.withSlot(weight: 1000, urgency: Urgency(.interactive)) { order.add("heavy") }
        }
        await self.waitFor(1, in: slots)
        let light = Task { try await slots.withSlot(weight: 1, urgency: Urgency(.interactive)) { order.add("light") } }
        await self.waitFor(2, in: slots)
        #expect(slots.usage.weight == 60 && slots.usage.held == 1)
        gate.open()
        try await heavy.value
        try await light.value
        try await holder.value
        #expect(order.all == ["heavy", "light"])
        #expect(slots.usage.weight == 0)
    }

    @Test func whatIsUrgentDoesNotWaitBehindWhatIsTooHeavyAndLessUrgent() async throws {
        let slots = Slots(.init(count: 4, queue: 10, weight: 100), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(slots, weight: 60, gate: gate)
        let warming = Task { try await slots.withSlot(weight: 80, urgency: Urgency(.warming)) {} }
        await self.waitFor(1, in: slots)
        try await slots.withSlot(weight: 10, urgency: Urgency(.interactive)) {}
        #expect(slots.usage.held == 1 && slots.usage.waitingCount == 1)
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
        while flights.waiterCount < 1 { await Task.yield() }
        let client = Task { try await flights.value(for: "heat", level: .interactive) { _ in nil } }
        while flights.waiterCount < 2 { await Task.yield() }
        gate.open()
        #expect(try await warming.value.value == .interactive)
        #expect(try await client.value.value == .interactive)
        #expect(Urgency.current == nil)
    }

    @Test func whoLeavesTheQueueLetsThoseBehindHimThrough() async throws {
        let slots = Slots(.init(count: 4, queue: 10, weight: 100), now: { 0 })
        let gate = Gate()
        let holder = try await self.hold(slots, weight: 60, gate: gate)
        let heavy = Task { try await slots.withSlot(weight: 50, urgency: Urgency(.interactive)) {} }
        await self.waitFor(1, in: slots)
        let light = Task { try await slots.withSlot(weight: 40, urgency: Urgency(.interactive)) {} }
        await self.waitFor(2, in: slots)
        heavy.cancel()
        await #expect(throws: CancellationError.self) { try await heavy.value }
        try await light.value
        gate.open()
        try await holder.value
    }

    @Test func aStormOfThoseWhoComeAndLeaveLosesNoSlot() async throws {
        let slots = Slots(.init(count: 3, queue: 1000), now: { 0 })
        await withTaskGroup { group in
            for index in 0..<900 {
                group.addTask {
                    let task = Task {
                        try await slots.withSlot(urgency: Urgency(Urgency.Level.allCases[index % 3])) {
                            await Task.yield()
                        }
                    }
                    if index % 2 == 0 { task.cancel() }
                    do { try await task.value } catch {}
                }
            }
        }
        #expect(slots.usage.held == 0 && slots.usage.waitingCount == 0)
        try await slots.withSlot(urgency: Urgency(.warming)) {}
    }
}
