import ArgumentParser
import CodecWorkers
import PosterCodec

/// `poster-bench isolation`
struct IsolationBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isolation",
        abstract: "Renders on threads and in worker processes, by turns.",
        discussion: """
            The time of each render from an open file to its bytes, the throughput of several threads, the delay of \
            the next render after a worker's end, and the memory of workers without a job. Without files: one \
            committed poster in every coding.
            """)

    @Option(help: "Width of the results in pixels.")
    var width = 368

    @Option(help: "Format of the results: avif, jpeg, webp, png.")
    var format = "jpeg"

    @Option(help: "How often each file is measured.")
    var rounds = 20

    @Option(help: "Threads, and workers, for the throughput.")
    var threads = 2

    @Option(
        help: ArgumentHelp("The program that runs as a worker; onesheet beside this one by default.", valueName: "path")
    )
    var program: String?

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @Argument(help: "Files instead.")
    var files: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.rounds >= 1, (1...64).contains(self.threads), (1...4096).contains(self.width),
            let format = OutputFormat(rawValue: self.format)
        else { throw BenchError("--rounds, --threads, --width or --format is out of range") }
        let given = try self.corpus.map { try PictureFiles.below($0) } ?? self.files
        let made = MadeOriginals()
        let files = try given.isEmpty ? OriginalKind.allCases.map { try made.file($0, .usual) } : given
        // As in the service and its workers: otherwise threads would keep memory that workers map anew for each render.
        ProcessHeap.configure()
        let pool = try WorkerProgram.pool(count: self.threads, self.program)
        try self.output.begin()
        let comparison = IsolationOfFiles(
            pool: pool, target: RenderTarget(width: self.width, format: format), rounds: self.rounds,
            threads: self.threads)
        try self.output.finish(comparison.outcome(files))
    }
}
