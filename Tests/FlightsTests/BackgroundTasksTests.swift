import Flights
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.hang))
struct BackgroundTasksTests {
    /// Work that ends when the gate opens, and counts a cancellation before that.
    private func held(by gate: Gate, ended: Gate = Gate(), cancelled: Counter = Counter()) -> @Sendable () async -> Void
    {
        {
            do { try await gate.wait() } catch { cancelled.increment() }
            ended.open()
        }
    }

    @Test func theSameRequestIsStartedOnceAndAnotherSupersedesIt() async throws {
        let tasks = BackgroundTasks<String, Int>(limit: 2, overflow: .ignoresNew, priority: .background)
        let (first, second, gate, cancelled) = (Gate(), Gate(), Gate(), Counter())
        tasks.start(1, for: "a", self.held(by: gate, ended: first, cancelled: cancelled))
        tasks.start(1, for: "a") { Issue.record("is under way already") }
        #expect(tasks.count == 1)
        tasks.start(2, for: "a", self.held(by: gate, ended: second, cancelled: cancelled))
        try await first.wait()
        #expect(cancelled.value == 1)
        tasks.start(3, for: "a", nil)
        try await second.wait()
        #expect(cancelled.value == 2)
        #expect(tasks.count == 0)
    }

    @Test func aTaskThatEndsAdmitsAnother() async throws {
        let tasks = BackgroundTasks<Int, Int>(limit: 1, overflow: .ignoresNew, priority: .background)
        let gate = Gate()
        tasks.start(1, for: 1, self.held(by: gate))
        tasks.start(2, for: 2) { Issue.record("is over the limit") }
        #expect(tasks.count == 1)
        gate.open()
        try await eventually { tasks.count == 0 }
        let ended = Gate()
        tasks.start(2, for: 2, self.held(by: gate, ended: ended))
        try await ended.wait()
    }

    @Test func beyondTheLimitTheOldestIsCancelledIfSoConfigured() async throws {
        let tasks = BackgroundTasks<Int, Int>(limit: 2, overflow: .cancelsOldest, priority: .background)
        let (gate, ended, cancelled) = (Gate(), Gate(), Counter())
        tasks.start(1, for: 1, self.held(by: gate, ended: ended, cancelled: cancelled))
        for key in 2...3 { tasks.start(key, for: key, self.held(by: gate, cancelled: cancelled)) }
        try await ended.wait()
        #expect(cancelled.value == 1)
        #expect(tasks.count == 2)
        gate.open()
    }

    @Test func closingCancelsAllAndStartsNoMore() async throws {
        let tasks = BackgroundTasks<Int, Int>(limit: 2, overflow: .cancelsOldest, priority: .background)
        let (ended, cancelled) = (Gate(), Counter())
        tasks.start(1, for: 1, self.held(by: Gate(), ended: ended, cancelled: cancelled))
        tasks.close()
        try await ended.wait()
        #expect(cancelled.value == 1)
        tasks.start(2, for: 2) { Issue.record("is closed") }
        #expect(tasks.count == 0)
    }

    @Test(arguments: [(false, [1, 2, 3]), (true, [1, 3, 2])])
    func aQueueRunsInItsOrderAndRefusesWhatExceedsIt(newestFirst: Bool, order: [Int]) async throws {
        let tasks = BackgroundTasks<Int, Int>(
            limit: 1, overflow: .queues(limit: 2, newestFirst: newestFirst), priority: .background)
        let gate = Gate()
        let ran = Mutex<[Int]>([])
        func start(_ key: Int) -> BackgroundTasks<Int, Int>.Acceptance {
            tasks.start(key, for: key) {
                try? await gate.wait()
                ran.withLock { $0.append(key) }
            }
        }
        #expect((1...3).map(start) == [.accepted, .accepted, .accepted])
        #expect(start(2) == .underWay)
        #expect(start(4) == .refused)
        #expect(tasks.count == 3)
        gate.open()
        try await eventually { tasks.count == 0 }
        #expect(ran.withLock { $0 } == order)
    }

    @Test func aCancelledTaskAdmitsTheNextOfTheQueue() async throws {
        let tasks = BackgroundTasks<Int, Int>(limit: 1, overflow: .queues(limit: 1), priority: .background)
        let ran = Gate()
        tasks.start(1, for: 1, self.held(by: Gate()))
        tasks.start(2, for: 2) { ran.open() }
        tasks.start(3, for: 1, nil)
        try await ran.wait()
        try await eventually { tasks.count == 0 }
    }

    @Test func aQueueIsLimitedByWeight() async throws {
        let tasks = BackgroundTasks<Int, Int>(limit: 1, overflow: .queues(limit: 5), priority: .background)
        let gate = Gate()
        func start(_ key: Int, weight: Int) -> BackgroundTasks<Int, Int>.Acceptance {
            tasks.start(key, for: key, weight: weight, self.held(by: gate))
        }
        #expect(start(1, weight: 9) == .accepted, "it does not wait")
        #expect(start(2, weight: 3) == .accepted)
        #expect(start(3, weight: 3) == .refused)
        #expect(start(4, weight: 2) == .accepted)
        #expect(tasks.count == 14)
        tasks.start(0, for: 1, nil)
        try await eventually { tasks.count <= 5 }
        #expect(start(5, weight: 3) == .accepted, "what runs is not in the queue")
        #expect(tasks.cancelAll() == 8 && tasks.count == 0)
    }
}
