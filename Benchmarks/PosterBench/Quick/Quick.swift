import ArgumentParser
import PosterCodec

/// `poster-bench quick`
struct Quick: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures figures that do not vary between runs, in less than three minutes, to compare a change.",
        discussion: """
            Memory, allocations, instructions (where valgrind is installed), bytes and hit ratios; times are printed, \
            too, but are not compared.
            """)

    @Option(help: "The posters' width in pixels.")
    var width = 368

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.width >= 1 else { throw BenchError("--width must be at least 1") }
        try self.output.begin()
        var outcome = Outcome()
        outcome.append(
            try MemoryOfKinds(kinds: OriginalKind.allCases, sizes: [.usual], width: self.width).outcome)
        outcome.append(try MemoryOfKinds(kinds: [.baselineJPEG], sizes: [.large], width: self.width).outcome)
        outcome.append(try MemoryOfLadders(kinds: [.baselineJPEG, .lossyWebP], sizes: [.usual]).outcome)
        outcome.append(try Instructions(width: self.width).outcome())
        let originals = MadeOriginals()
        let files = try OriginalKind.allCases.map { kind in
            SpeedOriginal(file: try originals.file(kind, .usual), name: "\(kind.rawValue) \(OriginalSize.usual.name)")
        }
        for format in OutputFormat.allCases {
            var speed = SpeedOfFiles(width: self.width, format: format, rounds: 3, runs: 3)
            try speed.measure(files, beside: nil)
            outcome.append(speed.outcome)
        }
        outcome.append(try Cache.measure(quick: true))
        outcome.charts = []  // each belongs to its own command
        try self.output.finish(outcome)
    }
}
