import ArgumentParser
import CPosterBench
import CodecWorkers
import Glibc
import PosterCodec

/// `poster-bench soak`
struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Many different renders in one process: memory must stay within the cache's budget, and not climb.",
        discussion: """
            Widths, formats, qualities and originals change all the time, through the service's own pipeline and variant \
            cache. Exit status 1 when memory fails the test.
            """)

    @Option(help: "Number of renders, all different.")
    var renders = 100_000

    @Option(help: "Memory budget of the variant cache, in MiB.")
    var memoryBudget = 64

    @Option(help: "Additional memory budget of decoded planes, in MiB.")
    var planes = 0

    @Option(help: "Codec threads; default: one for each core.")
    var threads: Int?

    @Flag(help: "Decode and encode in worker processes, onesheet beside this program; their memory must not climb.")
    var workers = false

    @Flag(help: "Use glibc's default malloc settings instead of the service's.")
    var glibcDefaults = false

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.renders >= 1000 else { throw BenchError("--renders must be at least 1000") }
        guard self.memoryBudget >= 1 else { throw BenchError("--memory-budget must be at least 1") }
        guard self.planes >= 0 else { throw BenchError("--planes must be at least 0") }
        if let threads = self.threads, threads < 1 { throw BenchError("--threads must be at least 1") }
        if !self.glibcDefaults { ProcessHeap.configure() }
        try self.output.begin()
        let files = try self.corpus.map { try PictureFiles.below($0) } ?? Self.made()
        poster_bench_heap_trim()  // what making the files has left
        let threads = self.threads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let load = try SoakLoad(
            files: files, renders: self.renders, memoryBudget: self.memoryBudget << 20, planesBudget: self.planes << 20,
            threads: threads, workers: self.workers ? try WorkerProgram.pool(count: threads) : nil)
        let result = SoakResult(
            samples: try load.run(), failures: load.failures, renders: self.renders, rendered: load.renderCount,
            memoryBudget: (self.memoryBudget + self.planes) << 20, planeHits: self.planes > 0 ? load.planeHitCount : nil
        )
        try self.output.finish(result.outcome)
        if let verdict = result.verdict {
            print(verdict)
            throw ExitCode.failure
        }
    }

    /// Small originals in every coding, so that a hundred thousand renders take minutes, and two of the usual size.
    private static func made() throws -> [String] {
        let originals = MadeOriginals()
        return try OriginalKind.allCases.flatMap { kind in
            try [OriginalSize.small, .medium].map { try originals.file(kind, $0) }
        } + [originals.file(.baselineJPEG, .usual), originals.file(.progressiveJPEG, .usual)]
    }
}
