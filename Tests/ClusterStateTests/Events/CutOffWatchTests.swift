import Flights
import PosterPipeline
import PosterTesting
import Testing

@testable import ClusterState

struct CutOffWatchTests {
    private let clock = ManualClock()

    /// A watch whose looks at the time are a test's steps.
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
            if lagLimit != nil { try await sleeps.reached(due.value + 1) }
        }
    }

    @Test func withoutALimitANodeAnswersWhileItIsCutOff() async throws {
        try await self.watch(lagLimit: nil) { watch, next in
            #expect(watch.gate.position == .held, "at the start it waits")
            watch.move(to: .cutOff)
            #expect(watch.gate.position == .held && watch.phase == .starting)
            try await next()
            try await eventually { watch.phase == .cutOff }
            #expect(watch.gate.isOpen)
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
}
