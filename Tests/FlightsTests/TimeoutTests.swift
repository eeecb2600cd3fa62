import Flights
import PosterTesting
import Testing

@Suite(.timeLimit(.hang)) struct TimeoutTests {
    private struct TooSlow: Error {}

    @Test func whatIsInTimeIsReturned() async throws {
        let value = try await withTimeout(
            .seconds(1), throwing: TooSlow(), sleep: { _ in try await Gate().wait() }, { 1 })
        #expect(value == 1)
    }

    @Test func whatIsLateIsCancelled() async throws {
        let deadline = Gate()
        let body = Gate()
        let wasCancelled = Gate()
        let task = Task {
            try await withTimeout(.seconds(1), throwing: TooSlow(), sleep: { _ in try await deadline.wait() }) {
                try await withTaskCancellationHandler {
                    try await body.wait()
                } onCancel: {
                    wasCancelled.open()
                }
            }
        }
        try await eventually { body.waiterCount == 1 }
        #expect(!wasCancelled.isOpen)
        deadline.open()
        await #expect(throws: TooSlow.self) { try await task.value }
        #expect(wasCancelled.isOpen)
    }

    @Test func aCancelledCallerLeavesAtOnce() async throws {
        let body = Gate()
        let task = Task {
            try await withTimeout(.seconds(1), throwing: TooSlow(), sleep: { _ in try await Gate().wait() }) {
                try await body.wait()
            }
        }
        try await eventually { body.waiterCount == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
