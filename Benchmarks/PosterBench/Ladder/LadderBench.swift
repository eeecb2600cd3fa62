import ArgumentParser
import PosterCodec

/// `poster-bench ladder`
struct LadderBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ladder",
        abstract: "All variants of an original: each rendered by itself, all in one job, and with libvips.",
        discussion: """
            Without files: one committed poster in every coding, 2000×3000, made on the first run. Each round measures \
            everything once, by turns, on one thread; sums of the best CPU times count, and SSIM needs --peers. With \
            --costs: the costs of decoding at each scale, from which the plan's estimates are derived.
            """)

    @Option(help: "The variants' widths in pixels, separated by commas.")
    var widths = "92,154,185,342,500,780"

    @Option(help: "The variants' formats, separated by commas: avif, jpeg, webp, png.")
    var formats = "jpeg,webp"

    @Option(help: "How often each file is measured.")
    var rounds = 3

    @Flag(help: "Also measure libvips, where the Python has it.")
    var peers = false

    @Flag(help: "Measure decoding by scale instead.")
    var costs = false

    @Option(help: ArgumentHelp("The Python for --peers.", valueName: "program"))
    var python = "python3"

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @Argument(help: "Files instead.")
    var files: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.rounds >= 1 else { throw BenchError("--rounds must be at least 1") }
        let ladder = try Ladder(widths: self.widths, formats: self.formats)
        let files = try self.corpus.map { try PictureFiles.below($0) } ?? self.files
        let made = MadeOriginals()
        let originals =
            try files.isEmpty
            ? OriginalKind.allCases.map {
                SpeedOriginal(
                    file: try made.file($0, .usual), name: "\($0.rawValue) \(OriginalSize.usual.name)")
            } : files.map { SpeedOriginal(file: $0, below: self.corpus) }
        try self.output.begin()
        if self.costs {
            try self.output.finish(DecodeCosts(originals: originals, rounds: self.rounds).outcome())
            return
        }
        let peers = self.peers ? try Peers(python: self.python) : nil
        if let peers, !peers.versions.contains(where: { $0.name == LadderOfFiles.peer }) {
            throw BenchError("\(self.python) has no \(LadderOfFiles.peer): pip install 'pyvips[binary]'")
        }
        var speed = LadderOfFiles(ladder: ladder, rounds: self.rounds)
        try speed.measure(originals, beside: peers)
        try self.output.finish(speed.outcome)
    }
}
