import Flights
import PosterPipeline
import PosterTesting
import Testing

@testable import ClusterState

struct CutOffWatchTests {
    private let clock = ManualClock()

    /// A watch that checks the time when the test steps it.
    private func watch(lagLimit: Duration?, _ body: (CutOffWatch, () async throws -> Void) async throws -> Void)
        async throws
    {
        let sleeps = Counter()
        let due = AwaitedState(0)
        let watch = CutOffWatch(lagLimit: lagLimit, now: self.clock.now) { _ in
            sleeps.increment()
            let number = sleeps.value
            try await due.wait { $0 >= number }
        }
        watch.begin()
        let task = Task { try await watch.run() }
        defer { task.cancel() }
        try await body(watch) {
            try await sleeps.reached(due.value + 1)
            due.change { $0 += 1 }
            try await sleeps.reached(due.value + 1)
        }
    }

    @Test func withoutALimitANodeAnswersWhileItIsCutOff() async throws {
        try await self.watch(lagLimit: nil) { watch, next in
            #expect(watch.gate.position == .held, "at the start it waits")
            watch.move(to: .cutOff)
            #expect(watch.gate.position == .held && watch.phase == .starting)
            self.clock.advance(by: CutOffWatch.startTime)
            try await next()
            #expect(watch.phase == .cutOff && watch.gate.isOpen)
            watch.move(to: .catchingUp)
            #expect(watch.gate.position == .held)
            watch.move(to: .current)
            watch.move(to: .cutOff)
            self.clock.advance(by: .seconds(3600))
            #expect(watch.gate.isOpen && watch.lag == .seconds(3600))
        }
    }

    @Test func withALimitANodeRefusesAfterIt() async throws {
        try await self.watch(lagLimit: .seconds(10)) { watch, next in
            self.clock.advance(by: CutOffWatch.startTime)
            try await next()
            #expect(watch.gate.position == .refused, "it may have missed events while it was stopped")
            watch.move(to: .current)
            #expect(watch.gate.isOpen)
            watch.move(to: .cutOff)
            self.clock.advance(by: .seconds(10))
            try await next()
            #expect(watch.gate.isOpen)
            self.clock.advance(by: .seconds(1))
            try await next()
            #expect(watch.gate.position == .refused && watch.isRefusing)
            watch.move(to: .catchingUp)
            #expect(watch.gate.position == .held)
            watch.move(to: .current)
            #expect(watch.gate.isOpen && watch.lag == .zero)
        }
    }

    @Test func aNodeThatWasSuspendedAnswersOnceItHasReadOn() async throws {
        try await self.watch(lagLimit: nil) { watch, _ in
            let start = watch.time
            watch.move(to: .current, asOf: start)
            #expect(watch.gate.isOpen && watch.phase == .current)
            self.clock.advance(by: CutOffWatch.currentTime)
            #expect(!watch.gate.isOpen && watch.phase == .catchingUp)
            watch.move(to: .current, asOf: start)
            #expect(!watch.gate.isOpen, "the reply is from before")
            watch.move(to: .current, asOf: watch.time)
            #expect(watch.gate.isOpen && watch.phase == .current)
        }
    }

    @Test func requestsWaitForATimeWhenASuspensionHasCostTheConnection() async throws {
        try await self.watch(lagLimit: nil) { watch, next in
            watch.move(to: .current)
            self.clock.advance(by: .seconds(5))
            watch.move(to: .cutOff)
            #expect(watch.gate.position == .held)
            try await next()
            #expect(watch.gate.position == .held)
            self.clock.advance(by: .seconds(1))
            try await next()
            #expect(watch.gate.isOpen && watch.phase == .cutOff)
        }
    }
}
