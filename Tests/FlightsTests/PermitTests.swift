import Flights
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct PermitTests {
    private let semaphore = WeightedSemaphore(.init(count: 3, queue: 10, weight: 100), now: { 0 })

    @Test("a permit grows only into room, and never waits")
    func growing() async throws {
        let semaphore = self.semaphore
        try await semaphore.withPermit(weight: 10, urgency: Urgency(.interactive)) { permit in
            try await semaphore.withPermit(weight: 40, urgency: Urgency(.interactive)) {
                #expect(permit.resize(to: 60) && semaphore.usage.weight == 100)
                #expect(!permit.resize(to: 61) && semaphore.usage.weight == 100, "it keeps the weight that it had")
                #expect(permit.resize(to: 5) && semaphore.usage.weight == 45)
            }
            #expect(permit.resize(to: 1000) && semaphore.usage.weight == 100, "more than the limit counts as the limit")
        }
        #expect(semaphore.usage.weight == 0 && semaphore.usage.held == 0)
    }

    @Test("a permit that shrinks admits those that wait")
    func shrinking() async throws {
        let semaphore = self.semaphore
        try await semaphore.withPermit(weight: 90, urgency: Urgency(.interactive)) { permit in
            let waiting = Task { try await semaphore.withPermit(weight: 50, urgency: Urgency(.warming)) {} }
            try await eventually { semaphore.usage.waitingCount == 1 }
            #expect(permit.resize(to: 51) && semaphore.usage.waitingCount == 1)
            #expect(permit.resize(to: 50))
            try await waiting.value
        }
        #expect(semaphore.usage.weight == 0)
    }

    @Test("a free permit is not taken before a waiter")
    func free() async throws {
        let semaphore = self.semaphore
        #expect(try await semaphore.withFreePermit(weight: 100) { semaphore.usage.weight } == 100)
        let gate = Gate()
        try await semaphore.withPermit(weight: 60, urgency: Urgency(.interactive)) {
            #expect(try await semaphore.withFreePermit(weight: 41) { true } == nil, "too heavy")
            let waiting = Task {
                try await semaphore.withPermit(weight: 50, urgency: Urgency(.warming)) { try await gate.wait() }
            }
            try await eventually { semaphore.usage.waitingCount == 1 }
            #expect(try await semaphore.withFreePermit { true } == nil, "though two permits are left")
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(try await semaphore.withFreePermit(weight: 40) { true } == true)
        }
        #expect(semaphore.usage.weight == 0 && semaphore.usage.held == 0)
    }

    @Test("weight that is kept stays charged after its permit, until it is released")
    func keeping() async throws {
        let semaphore = self.semaphore
        let held = try await semaphore.withPermit(weight: 70, urgency: Urgency(.interactive)) { permit in
            let held = permit.keepWeight()
            #expect(semaphore.usage.weight == 70)
            return held
        }
        #expect(semaphore.usage.weight == 70 && semaphore.usage.held == 0)
        let heavy = Task { try await semaphore.withPermit(weight: 40, urgency: Urgency(.interactive)) {} }
        try await eventually { semaphore.usage.waitingCount == 1 }
        held.release()
        try await heavy.value
        held.release()
        #expect(semaphore.usage.weight == 0)
        _ = try await semaphore.withPermit(weight: 5, urgency: Urgency(.warming)) { $0.keepWeight() }
        #expect(semaphore.usage.weight == 0, "it is released with its last reference")
    }

    @Test("what keeps its weight goes on, though something more urgent waits for that weight")
    func goingOn() async throws {
        let semaphore = self.semaphore
        let held = try await semaphore.withPermit(weight: 70, urgency: Urgency(.warming)) { $0.keepWeight() }
        let order = EventRecorder()
        let heavy = Task {
            try await semaphore.withPermit(weight: 100, urgency: Urgency(.interactive)) { order.add("heavy") }
        }
        try await eventually { semaphore.usage.waitingCount == 1 }
        let light = Task {
            try await semaphore.withPermit(weight: 1, urgency: Urgency(.warming)) { order.add("light") }
        }
        try await eventually { semaphore.usage.waitingCount == 2 }
        try await semaphore.withPermit(urgency: Urgency(.warming)) {
            order.add("weightless")
            held.release()
        }
        try await heavy.value
        try await light.value
        #expect(order.all == ["weightless", "heavy", "light"])
        #expect(semaphore.usage.weight == 0 && semaphore.usage.held == 0)
    }

    @Test("what weighs nothing waits its turn for one of the permits")
    func weightless() async throws {
        let semaphore = WeightedSemaphore(.init(count: 1, queue: 10, weight: 100), now: { 0 })
        let order = EventRecorder()
        let (first, second) = try await semaphore.withPermit(weight: 60, urgency: Urgency(.interactive)) {
            let first = Task {
                try await semaphore.withPermit(weight: 50, urgency: Urgency(.interactive)) { order.add("heavy") }
            }
            try await eventually { semaphore.usage.waitingCount == 1 }
            let second = Task {
                try await semaphore.withPermit(urgency: Urgency(.interactive)) { order.add("weightless") }
            }
            try await eventually { semaphore.usage.waitingCount == 2 }
            return (first, second)
        }
        try await first.value
        try await second.value
        #expect(order.all == ["heavy", "weightless"])
    }

    @Test("what observes an urgency hears of each rise, and no more once it is forgotten")
    func observing() {
        let urgency = Urgency(.warming)
        let levels = EventRecorder()
        let id = urgency.observe { levels.add("\($0)") }
        urgency.raise(to: .revalidation)
        urgency.raise(to: .warming)
        urgency.raise(to: .interactive)
        urgency.forget(id)
        let other = Urgency(.warming)
        other.forget(other.observe { levels.add("\($0)") })
        other.raise(to: .interactive)
        #expect(levels.all == ["revalidation", "interactive"])
    }
}
