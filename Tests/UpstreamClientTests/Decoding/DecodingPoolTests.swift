import Flights
import MovieDomain
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Decoding of large responses", .timeLimit(.hang))
struct DecodingPoolTests {
    private static let large = DecodingPool.Limits().inlineBytes + 1
    private static let never: @Sendable (Duration) async throws -> Void = { _ in try await Gate().wait() }

    private static func pool(
        threads: Int = 1, queue: Int = 1, sleep: @escaping @Sendable (Duration) async throws -> Void = Self.never
    ) -> DecodingPool {
        var limits = DecodingPool.Limits()
        (limits.threads, limits.queue) = (threads, queue)
        return DecodingPool(limits, sleep: sleep)
    }

    /// Whether the current task runs on the pool's threads.
    private static func isOn(_ pool: DecodingPool) -> Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == pool.asUnownedTaskExecutor() }
    }

    /// A decoding that waits until its latch is opened, and reports its beginning.
    private struct HeldDecoding: Sendable {
        let begun = Gate()
        let latch = Latch()

        /// - Returns: The number of rows read afterwards.
        func decode() throws -> Int {
            let object = try TolerantJSON.object(Array(#"{"rows":[{},{},{}]}"#.utf8))
            self.begun.open()
            self.latch.wait()
            return object.rows("rows").count
        }
    }

    @Test func onlyLargeResponsesLeaveTheCallersThread() async throws {
        let pool = Self.pool()
        #expect(try await pool.run(byteCount: Self.large) { Self.isOn(pool) })
        #expect(try await !pool.run(byteCount: Self.large - 1) { Self.isOn(pool) })
        await #expect(throws: UnreadableResponse(reason: "a")) {
            try await pool.run(byteCount: Self.large) { throw UnreadableResponse(reason: "a") }
        }
    }

    @Test func theQueueIsBoundedAndAWaiterThatLeavesMakesRoom() async throws {
        let pool = Self.pool()
        let held = HeldDecoding()
        let first = Task { try await pool.run(byteCount: Self.large) { try held.decode() } }
        try await held.begun.wait()
        let second = Task { try await pool.run(byteCount: Self.large) { 2 } }
        try await eventually { pool.usage.waitingCount == 1 }
        await #expect(throws: WeightedSemaphore.QueueFull.self) { try await pool.run(byteCount: Self.large) { 3 } }
        #expect(try await pool.run(byteCount: 1) { 4 } == 4)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let last = Task { try await pool.run(byteCount: Self.large) { 5 } }
        try await eventually { pool.usage.waitingCount == 1 }
        held.latch.open()
        #expect(try await first.value == 3)
        #expect(try await last.value == 5)
    }

    @Test func aDecodingThatIsCancelledReadsNothingMore() async throws {
        let pool = Self.pool()
        let held = HeldDecoding()
        let count = Counter()
        let task = Task {
            try await pool.run(byteCount: Self.large) {
                let rows = try held.decode()
                for _ in 0..<rows { count.increment() }
                try DecodingPool.checkCompleteness()
                count.increment()
            }
        }
        try await held.begun.wait()
        task.cancel()
        held.latch.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.value == 0)
    }

    @Test func aDecodingIsCancelledWhenItsTimeIsOver() async throws {
        let (time, sleeps) = (Gate(), Counter())
        // The first decoding has unlimited time.
        let pool = Self.pool(sleep: { duration in
            sleeps.increment()
            #expect(duration == DecodingPool.Limits().timeout)
            try await (sleeps.value == 1 ? Gate() : time).wait()
        })
        let held = HeldDecoding()
        let first = Task { try await pool.run(byteCount: Self.large) { try held.decode() } }
        try await held.begun.wait()
        try await eventually { sleeps.value == 1 }
        let second = Task { try await pool.run(byteCount: Self.large) { 2 } }
        try await eventually { pool.usage.waitingCount == 1 }
        time.open()
        await #expect(throws: DecodingPool.TimedOut.self) { try await second.value }
        #expect(pool.usage.waitingCount == 0)
        held.latch.open()
        #expect(try await first.value == 3)
    }
}
