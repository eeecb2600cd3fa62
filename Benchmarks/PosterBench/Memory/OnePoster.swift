import ArgumentParser
import CPosterBench

/// What a fresh child process runs: one poster, or none, and then it tells its own memory.
struct OnePoster: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "one-poster", shouldDisplay: false)

    @Option
    var width: Int

    /// Without one, the input is loaded and nothing else happens: the baseline.
    @Option
    var way: Way?

    /// Leaves the program's code to be read in when it is needed.
    @Flag
    var coldCode = false

    @Argument
    var file: String

    func run() throws {
        if !self.coldCode { try ProgramCode.load() }
        let input = try MappedFile(self.file)
        input.touch()
        poster_bench_heap_count()
        let outputBytes = try self.way?.render(input, width: self.width).outputBytes ?? 0
        let counts = poster_bench_heap_counted()
        print(try PeakMemory.ofThisProcess(), counts.peak, counts.allocations, outputBytes)
    }
}
