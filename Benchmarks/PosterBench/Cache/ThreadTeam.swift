import Glibc
import Synchronization

/// Threads that begin together.
enum ThreadTeam {
    private final class Start: Sendable {
        let waiting = Atomic(0)
        let isOpen = Atomic(false)
    }

    /// One thread's work, on its way through C.
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

    /// Calls `work` with 0..<count, each on a thread of its own.
    ///
    /// - Returns: Nanoseconds from the start of all to the end of the last.
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
            // Those that run already would wait forever, so there is no going on.
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
