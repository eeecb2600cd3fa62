import Glibc

/// Simulates pipelines under random operations: `PipelineSimulation COUNT [FIRST]` runs a schedule for each of COUNT
/// seeds. With `ONESHEET_SEED=…` in the environment it runs only that seed, and prints each step.
///
/// A program of its own, as the hook for tasks is one of the process. It starts itself again with hash values that are
/// equal in every process, which decide evictions.
@main
enum PipelineSimulation {
    private static let hashing = "SWIFT_DETERMINISTIC_HASHING"

    static func main() {
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        if environment(Self.hashing) == nil {
            setenv(Self.hashing, "1", 1)
            execv("/proc/self/exe", CommandLine.unsafeArgv)
            fatalError("the program cannot be started again: \(String(cString: strerror(errno)))")
        }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] { _ = Glibc.signal(signal, reportCrash) }
        if let seed = environment("ONESHEET_SEED").flatMap({ UInt64($0) }) {
            exit(self.failureCount(of: [seed], isTraced: true) == 0 ? 0 : 1)
        }
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let first = numbers.dropFirst().first ?? 1
        let seeds = Array(first..<first + (numbers.first ?? 1000))
        let failures = self.failureCount(of: seeds, isTraced: false)
        print("\(seeds.count) schedules, \(failures) failed")
        exit(failures == 0 ? 0 : 1)
    }

    /// Runs schedules until ten have failed.
    private static func failureCount(of seeds: [UInt64], isTraced: Bool) -> Int {
        var count = 0
        for seed in seeds where count < 10 {
            currentSeed = seed
            let schedule = Schedule(seed: seed, isTraced: isTraced)
            schedule.run()
            guard let fault = schedule.faults.first else { continue }
            count += 1
            print("ONESHEET_SEED=\(seed): \(fault)")
            fflush(nil)
        }
        return count
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
