import Flights
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.hang))
struct WaiterTests {
    /// Waiters by id, as stored by the users of `withWaiter`.
    private final class Table: Sendable {
        private let waiters = Mutex<[Waiter<Int>.ID: Waiter<Int>]>([:])

        var count: Int { self.waiters.withLock { $0.count } }

        func wait(beforeEnqueuing: () -> Void = {}) async throws -> Int {
            try await withWaiter { waiter in
                beforeEnqueuing()
                self.waiters.withLock { $0[waiter.id] = waiter }
            } cancel: { id in
                self.waiters.withLock { $0.removeValue(forKey: id) }?.resume(throwing: CancellationError())
            }
        }

        func resumeAll(returning value: Int) {
            let waiters = self.waiters.withLock { waiters in
                defer { waiters = [:] }
                return waiters.values
            }
            for waiter in waiters { waiter.resume(with: .success(value)) }
        }
    }

    @Test func aTaskThatIsCancelledIsNotEnqueued() async throws {
        let table = Table()
        let wasEnqueued = Counter()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await table.wait { wasEnqueued.increment() }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(wasEnqueued.value == 0)
    }

    @Test func aCancellationJustBeforeTheWaiterIsEnqueuedIsNotLost() async throws {
        let table = Table()
        let task = Task {
            // The cancellation handler runs here and finds no waiter.
            try await table.wait { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(table.count == 0)
    }

    @Test func cancellationsAtAnyMomentLeaveNoWaiter() async throws {
        let table = Table()
        for round in 0..<200 {
            let tasks = (0..<20).map { _ in Task { try await table.wait() } }
            if round % 3 == 0 { await Task.yield() }
            for task in tasks.prefix(10) { task.cancel() }
            for task in tasks.prefix(10) { await #expect(throws: CancellationError.self) { try await task.value } }
            try await eventually { table.count == 10 }
            table.resumeAll(returning: round)
            for task in tasks.dropFirst(10) { #expect(try await task.value == round) }
        }
        #expect(table.count == 0)
    }
}
