import ArgumentParser

/// What a fresh child process runs: one poster, or none, and then it prints its own peak memory.
struct MeasurePeak: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "measure-peak", shouldDisplay: false)

    @Option
    var width: Int

    /// Without one, the input is loaded and nothing else happens: the baseline.
    @Option
    var way: Way?

    @Argument
    var file: String

    func run() throws {
        let input = try MappedFile(self.file)
        input.touch()
        let outputBytes = try self.way?.render(input, width: self.width).outputBytes ?? 0
        print(try PeakMemory.ofThisProcess(), outputBytes)
    }
}
