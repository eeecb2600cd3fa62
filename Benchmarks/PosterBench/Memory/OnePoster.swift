import ArgumentParser
import CPosterBench

/// The command of a child process: renders at most one poster and prints its own memory use.
struct OnePoster: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "one-poster", shouldDisplay: false)

    @Option
    var width: Int

    /// `nil` only loads the input: the baseline.
    @Option
    var way: Way?

    /// Loads the program's code on demand.
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
