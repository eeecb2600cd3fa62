import Glibc
import Synchronization

/// Runs threads that start together.
enum ThreadTeam {
    private final class Start: Sendable {
        let waiting = Atomic(0)
        let isOpen = Atomic(false)
    }

    /// One thread's work, passed through C.
    private final class Member {
        let index: Int
        let start: Start
        let work: @Sendable (Int) -> Void

        init(index: Int, start: Start, work: @escaping @Sendable (Int) -> Void) {
            self.index = index
            self.start = start
            self.work = work
        }
    }

    /// Calls `work` with 0..<count, each on a separate thread.
    ///
    /// - Returns: Nanoseconds from the common start to the end of the last thread.
    static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) -> UInt64 {
        let start = Start()
        var threads: [pthread_t] = []
        for index in 0..<count {
            let member = Unmanaged.passRetained(Member(index: index, start: start, work: work))
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { pointer in
                    let member = Unmanaged<Member>.fromOpaque(pointer!).takeRetainedValue()
                    member.start.waiting.add(1, ordering: .acquiringAndReleasing)
                    while !member.start.isOpen.load(ordering: .acquiring) { sched_yield() }
                    member.work(member.index)
                    return nil
                }, member.toOpaque())
            // Fatal, because the threads that already run would wait forever.
            guard code == 0 else { fatalError("cannot start a thread: \(String(cString: strerror(code)))") }
            threads.append(thread)
        }
        while start.waiting.load(ordering: .acquiring) < count { sched_yield() }
        let begin = Clock.now()
        start.isOpen.store(true, ordering: .releasing)
        for thread in threads { pthread_join(thread, nil) }
        return Clock.now() - begin
    }
}
