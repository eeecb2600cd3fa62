import Flights
import PosterTesting
import Testing

@Suite(.timeLimit(.hang)) struct GateTests {
    @Test func allTasksPassOnceItIsOpen() async throws {
        let gate = Gate()
        let tasks = (0..<10).map { _ in Task { try await gate.wait() } }
        try await eventually { gate.waiterCount >= 10 }
        gate.open()
        for task in tasks { try await task.value }
        try await gate.wait()
        #expect(gate.isOpen)
    }

    @Test func aCancelledTaskLeaves() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        try await eventually { gate.waiterCount >= 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(gate.waiterCount == 0)
    }
}
