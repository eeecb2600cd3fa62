import ArgumentParser
import PosterCodec

/// `poster-bench formats`
struct FormatsBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "Bytes and CPU time of each format and effort at equal likeness, beside libvips.",
        discussion: """
            Without files: one committed poster. Each picture is encoded at five qualities by each encoder; the bytes \
            at the SSIMULACRA2 and at the SSIM of a first WebP at its default quality are interpolated. SSIM compares \
            the luma, SSIMULACRA2 the colours before and after encoding. Needs a Python with Pillow, numpy and pyvips. \
            With --calibrate: the quantisers at which AVIF has the SSIM of WebP, for the table of AVIFQuantizer.
            """)

    @Option(help: "The widths in pixels, separated by commas.")
    var widths = "154,342,500,780,1280"

    @Option(help: "How often each picture is encoded for its time.")
    var rounds = 1

    @Flag(help: "Find the quantisers of the qualities instead.")
    var calibrate = false

    @Flag(help: "Also measure SSIMULACRA2 with the Python package of that name, and report the differences.")
    var checkLikeness = false

    @Option(help: ArgumentHelp("The Python of the peers.", valueName: "program"))
    var python = "python3"

    @Option(help: ArgumentHelp("Every JPEG, PNG and WebP below this folder instead.", valueName: "folder"))
    var corpus: String?

    @Argument(help: "Files instead.")
    var files: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.rounds >= 1 else { throw BenchError("--rounds must be at least 1") }
        let widths = try Ladder(widths: self.widths, formats: "webp").targets.compactMap(\.width)
        let files = try self.corpus.map { try PictureFiles.below($0) } ?? self.files
        let originals =
            files.isEmpty
            ? [SpeedOriginal(file: try MadeOriginals().file(.baselineJPEG, .usual), name: "poster")]
            : files.map { SpeedOriginal(file: $0, below: self.corpus) }
        try self.output.begin()
        let peers = try Peers(python: self.python, checksLikeness: self.checkLikeness)
        if self.calibrate {
            try self.output.finish(QualityCalibration(widths: widths).outcome(originals, beside: peers))
            return
        }
        let hasVips = peers.versions.contains { $0.name == LadderOfFiles.peer }
        let coders = FormatCoder.own + (hasVips ? FormatCoder.peers : [])
        var formats = FormatsOfFiles(widths: widths, coders: coders, rounds: self.rounds)
        try formats.measure(originals, beside: peers)
        try self.output.finish(formats.outcome)
    }
}
