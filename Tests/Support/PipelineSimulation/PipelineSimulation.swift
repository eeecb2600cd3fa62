import Glibc

/// Simulates pipelines under random operations: `PipelineSimulation COUNT [FIRST]` runs a schedule for each of COUNT
/// seeds. With `ONESHEET_SEED=…` in the environment it runs only that seed, and prints each step; with
/// `ONESHEET_COUNTS=1` it prints the number of each event at the end.
///
/// A program of its own, as the hook for tasks is one of the process. It starts itself again with hash values that are
/// equal in every process, which decide evictions.
@main
enum PipelineSimulation {
    private static let hashing = "SWIFT_DETERMINISTIC_HASHING"
    /// The number of schedules that reach every event that pipelines count.
    private static let completeCount = 1000

    static func main() {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        if environment(Self.hashing) == nil {
            setenv(Self.hashing, "1", 1)
            execv("/proc/self/exe", CommandLine.unsafeArgv)
            fatalError("the program cannot be started again: \(String(cString: strerror(errno)))")
        }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] { _ = Glibc.signal(signal, reportCrash) }
        if let seed = environment("ONESHEET_SEED").flatMap({ UInt64($0) }) {
            exit(self.run([seed], isTraced: true).failureCount == 0 ? 0 : 1)
        }
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let first = numbers.dropFirst().first ?? 1
        let seeds = Array(first..<first + (numbers.first ?? 1000))
        let (failureCount, counts) = self.run(seeds, isTraced: false)
        print("\(seeds.count) schedules, \(failureCount) failed")
        if environment("ONESHEET_COUNTS") != nil { print(counts) }
        let missing = seeds.count < Self.completeCount ? [] : counts.missing
        if !missing.isEmpty { print("no schedule has reached: \(missing.joined(separator: ", "))") }
        exit(failureCount == 0 && missing.isEmpty ? 0 : 1)
    }

    /// Runs schedules until ten have failed.
    private static func run(_ seeds: [UInt64], isTraced: Bool) -> (failureCount: Int, counts: SimulationCounts) {
        var counts = SimulationCounts()
        var count = 0
        for seed in seeds where count < 10 {
            currentSeed = seed
            let schedule = Schedule(seed: seed, isTraced: isTraced)
            schedule.run()
            counts.add(schedule.counts)
            guard let fault = schedule.faults.first else { continue }
            count += 1
            print("ONESHEET_SEED=\(seed): \(fault)")
            fflush(nil)
        }
        return (count, counts)
    }
}

nonisolated(unsafe) private var currentSeed: UInt64 = 0

/// Prints the seed of a schedule that ends the process.
private func reportCrash(_ signal: Int32) {
    var text = Array("ONESHEET_SEED=\(currentSeed): signal \(signal)\n".utf8)
    _ = write(2, &text, text.count)
    _ = Glibc.signal(signal, SIG_DFL)
    raise(signal)
}
