import Glibc
import PosterPipeline
import Testing

@Suite struct ThreadPriorityTests {
    /// The nice value of the calling thread, or of a process, which is that of its main thread.
    private static func niceness(of process: Int32 = 0) -> Int32 {
        getpriority(.init(PRIO_PROCESS.rawValue), id_t(process))
    }

    @Test func onlyThreadsOfAPoolWithLowPriorityHaveTheLowest() async throws {
        let low = BoundedThreadPool(count: 1, queueLimit: 1, hasLowPriority: true)
        #expect(try await low.run { Self.niceness() } == 19)
        try await low.shutDown()
        let normal = BoundedThreadPool(count: 1, queueLimit: 1)
        #expect(try await normal.run { Self.niceness() } == Self.niceness(of: getpid()))
        try await normal.shutDown()
    }

    /// The program of a simulation computes on one thread, whose priority would stay the lowest.
    @Test func anExecutorThatIsGivenKeepsItsPriority() async throws {
        let pool = BoundedThreadPool(count: 1, queueLimit: 1, hasLowPriority: true, executor: globalConcurrentExecutor)
        #expect(try await pool.run { Self.niceness() } < 19)
    }
}
